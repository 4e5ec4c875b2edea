-- grain: one row per walk of the batch that came with an answer: its place among the sessions, and the
-- names of fields that its pages lack or that the specification does not have. Bound: the walks as a JSON
-- array
-- writes: walk_field
CREATE OR REPLACE TEMP TABLE walk_field AS
SELECT unnest(from_json(?, '[{
  "walk": "VARCHAR",
  "place": "INTEGER",
  "absent": ["VARCHAR"],
  "unknown": ["VARCHAR"]
}]'), recursive := true);
