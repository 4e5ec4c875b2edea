-- Validities that lists ended without reason → they go on. The lists of some days did not name a symbol whose
-- daily summaries or price limits of those days are stored; later lists name it with the same attributes. Its
-- memberships that ended with them and began by then go on too; and those of an index whose list has not come
-- since: the next one decides. Returns how many securities changed.
-- reads: evidence_day, limit_row, market.index_member, market.security_history, ops.coverage, summary_row
-- writes: continued_security, market.index_member, market.security_history, ops.dirty_partition

-- grain: one row per symbol and validity that goes on: ended_on is the day of the first list without the
--   symbol, valid_from that of the list that names it again. A list in between that names it with other
--   attributes is a validity of its own, and no gap
CREATE OR REPLACE TEMP TABLE continued_security AS
WITH gap AS (
  SELECT later.*, former.valid_from AS began_on, former.valid_to AS ended_on
  FROM market.security_history later
  JOIN market.security_history former USING (symbol)
  WHERE later.valid_from IN (FROM evidence_day)
    AND former.valid_to IN (FROM evidence_day) AND former.valid_to < later.valid_from
    AND $former_attributes IS NOT DISTINCT FROM $later_attributes
    AND NOT EXISTS (
      SELECT 1 FROM market.security_history other
      WHERE other.symbol = later.symbol
        AND other.valid_from >= former.valid_to AND other.valid_from < later.valid_from
    )
), unexplained AS (
  SELECT gap.symbol, gap.valid_from
  FROM gap
  JOIN ops.coverage list
    ON list.dataset = 'securities' AND list.key = upper(gap.board) AND list.state = 'complete'
      AND list.window_from >= gap.ended_on AND list.window_from < gap.valid_from
  ANTI JOIN (SELECT symbol, day FROM summary_row UNION SELECT symbol, day FROM limit_row) listed
    ON listed.symbol = gap.symbol AND listed.day = list.window_from
)
SELECT gap.* FROM gap
ANTI JOIN unexplained USING (symbol, valid_from)
QUALIFY ended_on = max(ended_on) OVER (PARTITION BY symbol, valid_from);

DELETE FROM market.security_history AS history USING continued_security continued
WHERE history.symbol = continued.symbol
  AND history.valid_from IN (continued.valid_from, continued.began_on);
INSERT INTO market.security_history BY NAME
SELECT * EXCLUDE (began_on, ended_on) REPLACE (began_on AS valid_from) FROM continued_security;

UPDATE market.index_member AS member SET valid_to = later.valid_to
FROM continued_security continued, market.index_member later
WHERE member.symbol = continued.symbol AND member.valid_to = continued.ended_on
  AND later.symbol = member.symbol AND later.index_code = member.index_code
  AND later.valid_from > continued.ended_on AND later.valid_from <= continued.valid_from;
DELETE FROM market.index_member AS later USING continued_security continued
WHERE later.symbol = continued.symbol
  AND later.valid_from > continued.ended_on AND later.valid_from <= continued.valid_from
  AND EXISTS (
    FROM market.index_member member
    WHERE member.index_code = later.index_code AND member.symbol = later.symbol
      AND member.valid_from < later.valid_from AND member.valid_to IS NOT DISTINCT FROM later.valid_to
  );
UPDATE market.index_member AS member SET valid_to = NULL
FROM continued_security continued
WHERE member.symbol = continued.symbol AND member.valid_to = continued.ended_on
  AND NOT EXISTS (
    FROM ops.coverage list
    WHERE list.dataset = 'indexMembers' AND list.key = member.index_code AND list.state = 'complete'
      AND list.window_from >= continued.valid_from
  );

INSERT INTO ops.dirty_partition
SELECT unnest(['market.security_history', 'market.index_member']), 'all'
WHERE EXISTS (FROM continued_security);

SELECT count(*) AS rows FROM continued_security;
