-- grain: one row per index of a whole board
-- rule: 16
-- title: a board's stocks add up to its index
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: the summary of a board's index, and complete daily summaries of its stocks
-- why: matched volume was exact on HNX and UPCOM, within 0.02 % on HOSE, where now and then a kind is counted
--   otherwise. Of value and deals nothing was measured: a difference there is soft
-- evidence: 100 % of an unknown number of sessions, HOSE, days not recorded,
--   docs/market-facts.md#board-totals
-- evidence: 100 % of an unknown number of sessions, HNX, days not recorded,
--   docs/market-facts.md#board-totals
-- evidence: 100 % of an unknown number of sessions, UPCOM, days not recorded,
--   docs/market-facts.md#board-totals
-- tolerance: of the board, as measured (mart.board_total: HOSE 0.02 %); values 1 VND, for fractions. Where
--   the source rounds values or volumes, half a step per stock and for the index (audit_rounding)
WITH comparison AS (
  SELECT *, coalesce(mart.board_total(board, trading_date) / 100, 0) AS slack,
    (members + 1) * volume_half AS volume_slack, (members + 1) * value_half AS value_slack,
    abs(num(total_match) - num(match)) <= slack * num(total_match) + volume_slack AS match_fits,
    abs(num(total_match_value) - num(match_value))
      <= greatest(1, slack * num(total_match_value)) + value_slack AS value_fits,
    abs(num(total_deal) - num(deal)) <= slack * num(total_deal) + volume_slack AS deal_fits,
    abs(num(total_deal_value) - num(deal_value))
      <= greatest(1, slack * num(total_deal_value)) + value_slack AS deal_value_fits
  FROM audit_board JOIN audit_rounding USING (trading_date) WHERE whole
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  concat_ws(', ', 'matched ' || as_text(match), 'value ' || as_text(match_value), 'deals ' || as_text(deal),
    'value of deals ' || as_text(deal_value)) AS expected,
  concat_ws(', ', 'matched ' || as_text(total_match), 'value ' || as_text(total_match_value),
    'deals ' || as_text(total_deal),
    'value of deals ' || as_text(total_deal_value)) AS actual,
  num(total_match) - num(match) AS residual,
  CASE
    WHEN NOT match_fits THEN 'break'
    WHEN NOT (coalesce(value_fits, true) AND coalesce(deal_fits, true) AND coalesce(deal_value_fits, true))
      THEN 'soft'
    ELSE 'pass'
  END AS result
FROM comparison
WHERE match_fits IS NOT NULL
