-- Members of the indexes answered → market.index_member with validity. A list counts from its day to the next
-- list of the index, in whatever order lists come: one of an earlier day that comes late takes its place
-- among the others. Returns how many rows changed.
-- reads: answered_index, market.index_member, ops.coverage, received_row, variable as_of
-- writes: departed_member, joined_member, market.index_member, next_list, ops.dirty_partition

-- grain: one row per index answered: the day of its next list, which is already applied; null where this one
-- is the latest
CREATE OR REPLACE TEMP TABLE next_list AS
SELECT answered_index.index_code, min(coverage.window_from) AS day
FROM answered_index
LEFT JOIN ops.coverage coverage
  ON coverage.dataset = 'indexMembers' AND coverage.key = answered_index.index_code
    AND coverage.state = 'complete' AND coverage.window_from > getvariable('as_of')
GROUP BY ALL;

-- grain: one row per member on this day that its index does not name, with its validity until now
CREATE OR REPLACE TEMP TABLE departed_member AS
SELECT member.*, next_list.day AS next_day
FROM market.index_member member
JOIN next_list USING (index_code)
ANTI JOIN received_row received ON received.index_code = member.index_code AND received.symbol = member.symbol
WHERE member.valid_from <= getvariable('as_of') AND coalesce(member.valid_to > getvariable('as_of'), true);

-- a validity that opened on this very day goes; an older one closes, and goes on with the next list that
-- names it
DELETE FROM market.index_member AS member USING departed_member departed
WHERE member.index_code = departed.index_code AND member.symbol = departed.symbol
  AND member.valid_from = departed.valid_from;

INSERT INTO market.index_member BY NAME
SELECT * EXCLUDE (valid_to, next_day), getvariable('as_of') AS valid_to FROM departed_member
WHERE valid_from < getvariable('as_of')
UNION ALL BY NAME
SELECT * EXCLUDE (valid_from, next_day), next_day AS valid_from FROM departed_member
WHERE next_day IS NOT NULL AND coalesce(valid_to > next_day, true);

-- grain: one row per member that its index did not name on this day before
CREATE OR REPLACE TEMP TABLE joined_member AS
SELECT received.*, next_list.day AS next_day
FROM received_row received
JOIN next_list USING (index_code)
ANTI JOIN market.index_member member
  ON member.index_code = received.index_code AND member.symbol = received.symbol
    AND member.valid_from <= getvariable('as_of') AND coalesce(member.valid_to > getvariable('as_of'), true);

-- a validity that begins with the next list begins with this one
INSERT INTO market.index_member BY NAME
SELECT joined.index_code, joined.symbol,
  getvariable('as_of') AS valid_from,
  CASE WHEN later.symbol IS NULL THEN joined.next_day ELSE later.valid_to END AS valid_to,
  joined.request_id, joined.received_at AS loaded_at
FROM joined_member joined
LEFT JOIN market.index_member later
  ON later.index_code = joined.index_code AND later.symbol = joined.symbol
    AND later.valid_from = joined.next_day;

DELETE FROM market.index_member AS member USING joined_member joined
WHERE member.index_code = joined.index_code AND member.symbol = joined.symbol
  AND member.valid_from = joined.next_day;

INSERT INTO ops.dirty_partition
SELECT 'market.index_member', 'all'
WHERE EXISTS (SELECT 1 FROM departed_member) OR EXISTS (SELECT 1 FROM joined_member);

SELECT (SELECT count(*) FROM departed_member) + (SELECT count(*) FROM joined_member) AS rows;
