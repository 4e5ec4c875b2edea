-- grain: no row: what a bar must have needs no earlier answer
-- writes: earlier_field
CREATE OR REPLACE TEMP TABLE earlier_field AS
SELECT NULL::VARCHAR AS walk, NULL::VARCHAR AS subject, NULL::DATE AS day, $had WHERE false;
