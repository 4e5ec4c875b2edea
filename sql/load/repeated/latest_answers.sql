-- Returns the answers of the dataset, or of the API key's snapshot, that were loaded last. Bound: the
-- dataset, the name of the key
-- reads: ops.latest_answer
SELECT answers FROM ops.latest_answer WHERE dataset = ? AND key_name = ?;
