-- grain: no row: the service computes no field of the dataset from others
-- writes: noisy_value
CREATE OR REPLACE TEMP TABLE noisy_value AS
SELECT NULL::VARCHAR AS request_id, NULL::BIGINT AS ordinal, NULL::VARCHAR AS name, NULL::VARCHAR AS field,
  NULL::VARCHAR AS value
WHERE false;
