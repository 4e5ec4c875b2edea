-- grain: no row: every field of the batch has its values
-- writes: lost_session
CREATE OR REPLACE TEMP TABLE lost_session AS
SELECT NULL::VARCHAR AS walk, NULL::DATE AS day, NULL::VARCHAR AS reason WHERE false;
