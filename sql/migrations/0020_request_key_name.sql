-- A page names the API key that requested it, as the journal does. Pages from before there were several keys have the name
-- of the one key that there was; pages of a user's file have none. Every month is written again, since the column is new
-- to the lake.

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.request', strftime(received_at + INTERVAL 7 HOUR, '%Y-%m') FROM ops.request;

ALTER TABLE ops.request ADD COLUMN IF NOT EXISTS key_name VARCHAR DEFAULT 'default';

UPDATE ops.request SET key_name = NULL WHERE endpoint = 'import';

COMMENT ON COLUMN ops.request.key_name IS 'Name of the API key that requested it; default where the home has only one, null where the page came from a user''s file.';
