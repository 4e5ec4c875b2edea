-- grain: one row per index with a complete answer of a believable length
-- reads: session_answer
-- writes: answered_index
CREATE OR REPLACE TEMP TABLE answered_index AS
SELECT key AS index_code FROM session_answer WHERE state = 'complete';
