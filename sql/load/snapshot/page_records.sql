-- grain: one row per record of the pages being read: those of one account table
-- reads: snapshot_record
-- writes: page_record
CREATE OR REPLACE TEMP VIEW page_record AS SELECT * FROM snapshot_record;
