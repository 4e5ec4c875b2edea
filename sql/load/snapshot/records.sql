-- grain: one row per record of one account table, with the question that brought it. Bound: the records as a
-- JSON array
-- writes: snapshot_record
CREATE OR REPLACE TEMP TABLE snapshot_record AS SELECT unnest(from_json(?, $record), max_depth := 2);
