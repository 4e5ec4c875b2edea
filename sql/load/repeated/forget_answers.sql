-- Answers that were loaded before this batch no longer show what is stored. Bound: the dataset, the name of
-- the API key, or * for all keys
-- writes: ops.latest_answer
DELETE FROM ops.latest_answer WHERE dataset = ? AND ? IN ('*', key_name);
