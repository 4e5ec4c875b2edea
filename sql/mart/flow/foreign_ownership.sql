-- grain: one row per symbol and trading_date that has a daily summary
-- What foreign investors own is not reported: it is the limit less the room that is left. Trades move the
-- room on one market day in three only (rule 14): deals outside the exchange, changes of the limit and
-- late figures move it too, and are unexplained_change. Shares are raw: on an ex-date of new shares
-- foreign_share jumps, foreign_ownership does not where the list has the new number of shares that day.
-- One session is faster by mart.foreign_ownership_between: a filter by date does not go down into it.
CREATE OR REPLACE VIEW mart.foreign_ownership AS
SELECT symbol, trading_date, kind, total_foreign_room, remain_foreign_room, foreign_share, listed_share,
  foreign_ownership, session_before, foreign_share_change, net_volume, unexplained_change,
  foreign_ownership_change_1, foreign_ownership_change_5, foreign_ownership_change_20
FROM mart.foreign_ownership_between(DATE '0001-01-01', DATE '9999-12-31');
COMMENT ON VIEW mart.foreign_ownership IS
  'One row per symbol and session: shares that foreign investors own, by the room that is left, and how that '
  'changed.';
COMMENT ON COLUMN mart.foreign_ownership.total_foreign_room IS
  'Limit: shares that foreigners may own in all.';
COMMENT ON COLUMN mart.foreign_ownership.remain_foreign_room IS
  'Shares that foreigners may still buy; below 0 = over the limit.';
COMMENT ON COLUMN mart.foreign_ownership.foreign_share IS
  'total_foreign_room - remain_foreign_room: shares that foreigners own; null where no limit or no remainder '
  'was reported.';
COMMENT ON COLUMN mart.foreign_ownership.listed_share IS
  'Listed shares of the session (mart.listed_share); null where not reported.';
COMMENT ON COLUMN mart.foreign_ownership.foreign_ownership IS
  'foreign_share / listed_share, a fraction; null where one of them is.';
COMMENT ON COLUMN mart.foreign_ownership.session_before IS
  'The symbol''s session before, that foreign_share_change is against; null where 120 days have none.';
COMMENT ON COLUMN mart.foreign_ownership.foreign_share_change IS
  'foreign_share less that of session_before, shares; null where one of them is not known.';
COMMENT ON COLUMN mart.foreign_ownership.net_volume IS
  'Bought less sold by foreigners in the session, matched and put-through, shares; 0 where nothing was '
  'traded; null where not reported.';
COMMENT ON COLUMN mart.foreign_ownership.unexplained_change IS
  'foreign_share_change - net_volume, shares: what the trades of the session do not explain.';
COMMENT ON COLUMN mart.foreign_ownership.foreign_ownership_change_1 IS
  'foreign_ownership less that of session_before, a fraction of the listed shares (0.01 = one percentage '
  'point).';
COMMENT ON COLUMN mart.foreign_ownership.foreign_ownership_change_5 IS
  'The same against the fifth session before; null where 120 days have fewer.';
COMMENT ON COLUMN mart.foreign_ownership.foreign_ownership_change_20 IS
  'The same against the twentieth session before; null where 120 days have fewer.';
