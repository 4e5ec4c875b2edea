-- Which fields of the specification an answer lacked is part of what is known of a page. Every month is written again, since
-- the column is new to the lake; pages from before have nothing in it.

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.request', strftime(received_at + INTERVAL 7 HOUR, '%Y-%m') FROM ops.request;

ALTER TABLE ops.request ADD COLUMN IF NOT EXISTS absent VARCHAR;

COMMENT ON COLUMN ops.request.absent IS 'Fields of the specification that the first record of the page does not have, comma-separated; null when none, or where the page was loaded by a version before 0.3.';
