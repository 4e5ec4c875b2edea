-- grain: one row per symbol and trading_date, of the dates asked for, that has a daily summary
-- Shares of foreign investors by the room that is left: total_foreign_room - remain_foreign_room, for the
-- sessions from first_session to last_session. mart.foreign_ownership is the same for all of them; one
-- session of all symbols is cheaper here, since no more than the 120 days before it are read. Changes are
-- against the symbol's session before, the fifth and the twentieth before, within 120 days.
CREATE OR REPLACE MACRO mart.foreign_ownership_between(first_session, last_session) AS TABLE
WITH room AS (
  SELECT symbol, trading_date, total_foreign_room, remain_foreign_room,
    CASE WHEN total_foreign_room > 0 THEN total_foreign_room - remain_foreign_room END AS foreign_share,
    CASE WHEN coalesce(total_match, 0) = 0 AND coalesce(total_deal, 0) = 0 THEN 0 END AS idle,
    coalesce(total_foreign_buy - total_foreign_sell, idle) AS net_volume
  FROM market.daily_summary
  WHERE trading_date BETWEEN CAST(first_session AS DATE) - 120 AND CAST(last_session AS DATE)
), ownership AS (
  SELECT room.*, shares.listed_share, room.foreign_share / shares.listed_share AS foreign_ownership
  FROM room
  LEFT JOIN mart.listed_share shares ON shares.symbol = room.symbol
    AND room.trading_date BETWEEN shares.valid_from AND shares.valid_to
), ownership_history AS (
  -- frames of one row: the session before, the fifth and the twentieth before
  SELECT *,
    first_value(trading_date) OVER session_1 >= trading_date - 120 AS has_1,
    first_value(trading_date) OVER session_5 >= trading_date - 120 AS has_5,
    first_value(trading_date) OVER session_20 >= trading_date - 120 AS has_20,
    CASE WHEN has_1 THEN first_value(trading_date) OVER session_1 END AS session_before,
    CASE WHEN has_1 THEN first_value(foreign_share) OVER session_1 END AS share_1,
    CASE WHEN has_1 THEN first_value(foreign_ownership) OVER session_1 END AS ownership_1,
    CASE WHEN has_5 THEN first_value(foreign_ownership) OVER session_5 END AS ownership_5,
    CASE WHEN has_20 THEN first_value(foreign_ownership) OVER session_20 END AS ownership_20
  FROM ownership
  WINDOW session_1 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING),
    session_5 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN 5 PRECEDING AND 5 PRECEDING),
    session_20 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN 20 PRECEDING AND 20 PRECEDING)
)
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  total_foreign_room, remain_foreign_room, foreign_share, listed_share, foreign_ownership, session_before,
  foreign_share - share_1 AS foreign_share_change, net_volume,
  foreign_share_change - net_volume AS unexplained_change,
  foreign_ownership - ownership_1 AS foreign_ownership_change_1,
  foreign_ownership - ownership_5 AS foreign_ownership_change_5,
  foreign_ownership - ownership_20 AS foreign_ownership_change_20
FROM ownership_history
WHERE trading_date >= CAST(first_session AS DATE);
COMMENT ON MACRO TABLE mart.foreign_ownership_between IS
  'mart.foreign_ownership for the sessions from the first date to the second: one session of all symbols '
  'answers at once.';
