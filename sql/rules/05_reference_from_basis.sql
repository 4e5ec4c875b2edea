-- grain: one row per symbol and session whose reference price can be compared with its basis
-- rule: 5
-- title: ref_price = the basis of the session before, else a corporate action
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: the reference price of the session and the daily summary of the session before; a symbol without one
--   is not evaluated if its reference differs from an older basis
-- why: the exchange sets the reference from the session before; where it differs, ref_price / basis is the
--   adjustment factor: right in 26 of 27 cases in 2022, 18 of 18 in 2023, 9 of 9 in 2024. On 303 real days at
--   least five symbols and a tenth differed, mostly by one tick: noise. Only a consolidation, which is rare,
--   raises a reference: a flag. Where many break at once, and they rise as often as corporate actions never
--   do, the source is at fault: that day gives no adjustment events
-- evidence: 98.15 % of 54 factors of 29 names, HOSE, 2022..2024, docs/market-facts.md#ex-dates
-- tolerance: the noise of the day, 0 to 2 ticks (mart.reference_break); UPCOM one tick (100 VND) where its
--   rounding is not known
WITH summary_before AS (
  SELECT summary.symbol, audit_session.trading_date
  FROM market.daily_summary summary JOIN audit_session ON summary.trading_date = audit_session.previous_date
  WHERE summary.trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), compared AS (
  SELECT audit_reference.*, audit_session.previous_date, summary_before.symbol IS NULL AS is_before_missing
  FROM audit_reference
  JOIN audit_session ON audit_session.trading_date = ex_date
  LEFT JOIN summary_before ON summary_before.symbol = audit_reference.symbol
    AND summary_before.trading_date = ex_date
), checked AS (
  SELECT *,
    -- a reference that doubles, or loses nine tenths, is not a corporate action of this market: a unit or a
    -- digit went wrong, also where a summary is missing
    CASE
      WHEN NOT differs THEN 'pass'
      WHEN factor NOT BETWEEN 0.1 AND 2 THEN 'break'
      WHEN is_before_missing THEN 'not_evaluable'
      WHEN market_wide THEN 'break'
      ELSE 'soft'
    END AS result
  FROM compared
), last_summary AS (
  SELECT symbol, trading_date, close
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), uncompared AS (
  SELECT band.symbol, band.trading_date AS ex_date, audit_session.previous_date,
    CASE WHEN band.trading_date - last_summary.trading_date <= getvariable('audit_back')
      THEN last_summary.trading_date END AS last_date,
    num(band.ref_price) AS ref_price, num(last_summary.close) AS last_close,
    -- no move of unknown sessions explains that: a unit or a digit went wrong
    last_date IS NOT NULL AND last_close > 0
      AND ref_price / last_close NOT BETWEEN 0.1 AND 2 AS is_out_of_proportion
  FROM market.price_limit band
  JOIN audit_session USING (trading_date)
  ANTI JOIN audit_reference compared
    ON compared.symbol = band.symbol AND compared.ex_date = band.trading_date
  ASOF LEFT JOIN last_summary
    ON last_summary.symbol = band.symbol AND band.trading_date > last_summary.trading_date
  WHERE band.ref_price > 0
    AND band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT ex_date AS trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, ex_date) AS key,
  basis_kind || ' ' || as_text(previous_basis) || CASE WHEN noise_ticks > 0
    THEN ', give or take ' || noise_ticks || CASE noise_ticks WHEN 1 THEN ' tick' ELSE ' ticks' END
    ELSE '' END AS expected,
  CASE
    WHEN result = 'not_evaluable' THEN 'The daily summary of ' || symbol || ' for ' || previous_date
      || ' is not stored, so its reference price has nothing to be compared with.'
    ELSE as_text(ref_price) || ', factor ' || as_text(round(factor, 6))
      || CASE WHEN differs AND factor > 1 THEN ', a rise' ELSE '' END
      || CASE WHEN is_fault THEN ', contradicted by the prices of the session' ELSE '' END
  END AS actual,
  num(ref_price) - num(previous_basis) AS residual,
  result
FROM checked
UNION ALL
SELECT ex_date, 'market', 'market.price_limit', day_key(symbol, ex_date),
  CASE WHEN is_out_of_proportion THEN 'near the close ' || as_text(last_close) || ' of ' || last_date END,
  CASE
    WHEN is_out_of_proportion THEN as_text(ref_price)
    WHEN last_date IS NULL THEN 'No daily summary of ' || symbol || ' is stored for the 45 days before '
      || ex_date || ', so its reference price has nothing to be compared with.'
    WHEN last_date < previous_date THEN 'The daily summary of ' || symbol || ' for ' || previous_date
      || ' is not stored, so its reference price has nothing to be compared with.'
    ELSE 'Between ' || last_date || ' and ' || ex_date || ' a session is not stored whole, or ' || symbol
      || ' has moved to another board, so its reference price has nothing to be compared with.'
  END,
  CASE WHEN is_out_of_proportion THEN ref_price - last_close END,
  CASE WHEN is_out_of_proportion THEN 'break' ELSE 'not_evaluable' END
FROM uncompared
