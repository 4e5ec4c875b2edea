-- Members of the indexes answered → market.index_member with validity. Returns how many rows changed.
-- reads: answered_index, market.index_member, received_row, variable as_of
-- writes: departed_member, joined_member, market.index_member, ops.dirty_partition

-- grain: one row per member that its index no longer names
CREATE OR REPLACE TEMP TABLE departed_member AS
SELECT member.index_code, member.symbol
FROM market.index_member member
SEMI JOIN answered_index USING (index_code)
ANTI JOIN received_row received ON received.index_code = member.index_code AND received.symbol = member.symbol
WHERE member.valid_to IS NULL;

-- a validity that opened on this very day goes; an older one closes
DELETE FROM market.index_member AS member USING departed_member departed
WHERE member.index_code = departed.index_code AND member.symbol = departed.symbol
  AND member.valid_to IS NULL AND member.valid_from = getvariable('as_of');

UPDATE market.index_member AS member SET valid_to = getvariable('as_of')
FROM departed_member departed
WHERE member.index_code = departed.index_code AND member.symbol = departed.symbol AND member.valid_to IS NULL;

-- grain: one row per member that its index did not name before
CREATE OR REPLACE TEMP TABLE joined_member AS
WITH stored AS (
  SELECT index_code, symbol FROM market.index_member WHERE valid_to IS NULL
)
SELECT received.*
FROM received_row received
ANTI JOIN stored ON stored.index_code = received.index_code AND stored.symbol = received.symbol;

INSERT INTO market.index_member BY NAME
SELECT index_code, symbol, getvariable('as_of') AS valid_from, NULL::DATE AS valid_to, request_id,
  received_at AS loaded_at
FROM joined_member;

INSERT INTO ops.dirty_partition
SELECT 'market.index_member', 'all'
WHERE EXISTS (SELECT 1 FROM departed_member) OR EXISTS (SELECT 1 FROM joined_member);

SELECT (SELECT count(*) FROM departed_member) + (SELECT count(*) FROM joined_member) AS rows;
