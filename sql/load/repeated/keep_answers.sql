-- The answers of the batch → ops.latest_answer. Bound: the dataset, the name of the API key, the answers
-- writes: ops.latest_answer
INSERT INTO ops.latest_answer VALUES (?, ?, ?);
