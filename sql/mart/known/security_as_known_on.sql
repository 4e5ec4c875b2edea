-- grain: one row per symbol, as the security lists received up to the instant reported it
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). The latest validity that was
-- known: its page had been received (loaded_at), or it had been opened by a list of a session whose lists had
-- all been received. The latter covers validities in which i_index, i_nav, open_interest and settlement_price
-- moved since: they are kept as last seen only, so their values of then are not known and null, as are
-- request_id and loaded_at. Also not known: what a validity was before it was written anew on the day it
-- opened, and which of several answers of one session closed it; the latest counts. valid_to and is_listed: a
-- validity is closed once the lists that closed it had been received; a symbol is listed while its latest
-- validity is open. last_seen: the latest whole list of its board of then; a list that was cut short and
-- named it is not known.
CREATE OR REPLACE MACRO mart.security_as_known_on(instant) AS TABLE
WITH list_session AS (
  SELECT coverage.window_from AS session, max(page.received_at) AS received_at
  FROM ops.coverage coverage JOIN ops.request page USING (request_id)
  WHERE coverage.dataset = 'securities'
  GROUP BY coverage.window_from
), known_session AS (
  SELECT session FROM list_session WHERE received_at <= CAST(instant AS TIMESTAMPTZ)
), board_list AS (
  SELECT coverage.key AS board, coverage.window_from AS session
  FROM ops.coverage coverage JOIN ops.request page USING (request_id)
  WHERE coverage.dataset = 'securities' AND coverage.state = 'complete'
    AND page.received_at <= CAST(instant AS TIMESTAMPTZ)
), known_entry AS (
  SELECT history.*,
    loaded_at <= CAST(instant AS TIMESTAMPTZ) AS is_unchanged,
    valid_to IN (SELECT session FROM known_session) AS is_closed
  FROM market.security_history history
  WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ) OR valid_from IN (SELECT session FROM known_session)
), latest_entry AS (
  SELECT *, min(valid_from) OVER (PARTITION BY symbol) AS first_seen
  FROM known_entry
  QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY valid_from DESC) = 1
), latest_list AS (
  SELECT entry.symbol, max(list.session) AS session
  FROM latest_entry entry
  JOIN board_list list
    ON list.board = upper(entry.board)
      AND NOT coalesce(entry.is_closed AND list.session >= entry.valid_to, false)
  GROUP BY entry.symbol
)
SELECT
  symbol, symbol_name_vi, symbol_name_en, board, lot_size, maturity_date, first_trading_date,
  last_trading_date,
  cw_underlying_symbol, cw_exercise_price, cw_execution_ratio, listed_share, icb_code, icb_name,
  CASE WHEN is_unchanged THEN i_index END AS i_index,
  CASE WHEN is_unchanged THEN i_nav END AS i_nav,
  CASE WHEN is_unchanged THEN open_interest END AS open_interest,
  CASE WHEN is_unchanged THEN settlement_price END AS settlement_price,
  first_seen,
  greatest(valid_from, latest_list.session) AS last_seen,
  valid_from,
  CASE WHEN is_closed THEN valid_to END AS valid_to,
  NOT coalesce(is_closed, false) AS is_listed,
  CASE WHEN is_unchanged THEN request_id END AS request_id,
  CASE WHEN is_unchanged THEN loaded_at END AS loaded_at
FROM latest_entry
LEFT JOIN latest_list USING (symbol);
COMMENT ON MACRO TABLE mart.security_as_known_on IS
  'Securities as the lists received up to an instant reported them.';
