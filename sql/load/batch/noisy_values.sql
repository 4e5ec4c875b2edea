-- grain: one row per received record and derived field whose number has binary noise: the record is loaded
-- without the field
-- reads: received_row
-- writes: noisy_value
CREATE OR REPLACE TEMP TABLE noisy_value AS
SELECT request_id, ordinal, unnest(noise, recursive := true) FROM received_row WHERE noise <> [];
