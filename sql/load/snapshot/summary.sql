-- Returns how many accounts the snapshot has, and how many of its rows lack something
-- reads: account_state
SELECT count(*) FILTER (WHERE missing IS NOT NULL) AS partial,
  count(*) FILTER (WHERE account_no <> '*') AS accounts
FROM account_state;
