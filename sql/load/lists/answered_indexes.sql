-- grain: one row per index whose list of members is complete
-- reads: session_answer
-- writes: answered_index
CREATE OR REPLACE TEMP TABLE answered_index AS
SELECT key AS index_code FROM session_answer WHERE state = 'complete';
