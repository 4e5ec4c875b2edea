-- grain: one row per symbol and session whose reference price repeats its basis and that has a close
-- rule: 46
-- title: a close lies within the limits around a reference price that repeats its basis
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: the reference price of the session, the daily summary of the session before, and a match
-- why: nothing trades beyond the limits, so a close beyond them shows that the reference was not adjusted on
--   an ex-date (CTG closed 10.5 % below it on a board of 7 %), or that the close is wrong. Which of the two
--   is not known, and the close of a session that traded may well be right: a warning, which withholds
--   nothing. The adjusted prices before it are marked (is_chain_known), and a declaration corrects them
-- evidence: 97.17 % of 1,060 sessions of a source that rounds values before its step was allowed, all
--   boards, days not recorded, docs/market-facts.md#pass-rates
-- tolerance: one tick; where the source rounds prices to more than that, half a step of the close, of the
--   reference and of its limit (audit_rounding); the band reported where it is wider than that of the board;
--   none where the basis is older than 30 days and no band is reported
SELECT ex_date AS trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(candidate.symbol, ex_date) AS key,
  'close within the limits around ' || as_text(ref_price) AS expected,
  'close ' || as_text(summary.close) AS actual,
  num(summary.close) / num(ref_price) - 1 AS residual,
  CASE
    WHEN NOT is_beyond_limit THEN 'pass'
    WHEN 2 * price_half > tick AND beyond_limit <= 3 * price_half THEN 'pass'
    ELSE 'break'
  END AS result
FROM audit_reference candidate
JOIN market.daily_summary summary
  ON summary.symbol = candidate.symbol AND summary.trading_date = candidate.ex_date
JOIN audit_rounding rounding ON rounding.trading_date = candidate.ex_date
WHERE NOT differs AND is_beyond_limit IS NOT NULL
