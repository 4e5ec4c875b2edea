-- grain: one row per symbol and session whose reference price can be compared with its basis
-- rule: 5
-- title: ref_price = the basis of the session before, else a corporate action
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: the reference price of the session and the daily summary of the session before
-- why: the exchange sets the reference from the session before; where it differs, ref_price / basis is the
--   adjustment factor: right in 26 of 27 cases in 2022, 18 of 18 in 2023, 9 of 9 in 2024. On 303 real days at
--   least five symbols and a tenth differed, mostly by one tick: noise. Only a consolidation, which is rare,
--   raises a reference: a flag. Where many break at once, and they rise as often as corporate actions never
--   do, the source is at fault: that day gives no adjustment events
-- tolerance: the noise of the day, 0 to 2 ticks (mart.reference_break); UPCOM one tick (100 VND) where its
--   rounding is not known
SELECT ex_date AS trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, ex_date) AS key,
  basis_kind || ' ' || as_text(previous_basis) || CASE WHEN noise_ticks > 0
    THEN ', give or take ' || noise_ticks || CASE noise_ticks WHEN 1 THEN ' tick' ELSE ' ticks' END
    ELSE '' END AS expected,
  as_text(ref_price) || ', factor ' || as_text(round(factor, 6))
    || CASE WHEN differs AND factor > 1 THEN ', a rise' ELSE '' END
    || CASE WHEN is_fault THEN ', contradicted by the prices of the session' ELSE '' END AS actual,
  num(ref_price) - num(previous_basis) AS residual,
  -- a reference that doubles, or loses nine tenths, is not a corporate action of this market: a unit or a
  -- digit went wrong
  CASE
    WHEN NOT differs THEN 'pass'
    WHEN market_wide OR factor NOT BETWEEN 0.1 AND 2 THEN 'break'
    ELSE 'soft'
  END AS result
FROM audit_reference
