-- grain: one row per walk of the batch and session of its window. Bound: walks and their sessions as a JSON
-- array
-- writes: walk_day
CREATE OR REPLACE TEMP TABLE walk_day AS
SELECT walk, CAST(unnest(days) AS DATE) AS day
FROM (SELECT unnest(from_json(?, '[{"walk": "VARCHAR", "days": ["DATE"]}]'), recursive := true));
