-- Members of the indexes answered → market.index_member with validity. Reads temp tables fresh (one row per
-- index and symbol named) and answered (index_code of every complete, believable answer), variable as_of.

CREATE OR REPLACE TEMP TABLE gone AS
SELECT member.index_code, member.symbol
FROM market.index_member member SEMI JOIN answered USING (index_code)
ANTI JOIN fresh ON fresh.index_code = member.index_code AND fresh.symbol = member.symbol
WHERE member.valid_to IS NULL;

DELETE FROM market.index_member AS member USING gone
WHERE member.index_code = gone.index_code AND member.symbol = gone.symbol
  AND member.valid_to IS NULL AND member.valid_from = getvariable('as_of');
UPDATE market.index_member AS member SET valid_to = getvariable('as_of') FROM gone
WHERE member.index_code = gone.index_code AND member.symbol = gone.symbol AND member.valid_to IS NULL;

CREATE OR REPLACE TEMP TABLE joined AS
SELECT fresh.* FROM fresh
ANTI JOIN (SELECT * FROM market.index_member WHERE valid_to IS NULL) held
  ON held.index_code = fresh.index_code AND held.symbol = fresh.symbol;
INSERT INTO market.index_member BY NAME
SELECT index_code, symbol, getvariable('as_of') AS valid_from, NULL::DATE AS valid_to, request_id, received_at AS loaded_at
FROM joined;

CREATE OR REPLACE TEMP TABLE changed_count AS
SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM joined) AS rows;
INSERT INTO ops.dirty_partition SELECT 'market.index_member', 'all' WHERE (SELECT rows FROM changed_count) > 0;
