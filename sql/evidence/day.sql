-- grain: one row per day whose evidence is weighed. Bound: the days as a JSON array
-- writes: evidence_day
CREATE OR REPLACE TEMP TABLE evidence_day AS
SELECT DISTINCT unnest(from_json(?, '["DATE"]')) AS day;
