-- grain: one row per symbol and ex_date from first_day to last_day of a corporate action, seen in the
--   reference price, declared, or both
-- breaks, bands, summaries, actions: names of relations shaped like mart.reference_break (with 15 days
-- before and after), market.price_limit, market.daily_summary and market.corporate_action. A declaration
-- counts on the first session of its symbol, with a reference or trades, from its ex-date on, up to 45 days
-- later; without one, on the ex-date itself. Which source counts
-- (docs/decisions/0055-two-sources-of-a-corporate-action.md): the reference price where it breaks, since
-- the session traded around it; the declaration where the reference could not be compared, is a fault of the
-- source, lies within rounding of what is declared, contains the move of sessions of which nothing is known,
-- or repeats its basis although the close lies beyond the limits around it. Else a declaration that the
-- reference does not show changes nothing (factor 1). Declarations of sessions that are not stored yet wait.
CREATE OR REPLACE MACRO mart.corporate_event(breaks, bands, summaries, actions, first_day, last_day) AS TABLE
WITH compared AS (
  FROM query_table(breaks)
), summary AS (
  SELECT symbol, trading_date, CAST(close AS DOUBLE) AS close
  FROM query_table(summaries)
  WHERE close > 0
), last_session AS (
  SELECT max(trading_date) AS day FROM query_table(summaries)
), action AS (
  -- 45 days for the session, 15 for a break on another day
  FROM query_table(actions)
  WHERE NOT is_withdrawn AND ex_date <= (FROM last_session)
    AND ex_date BETWEEN CAST(first_day AS DATE) - 60 AND CAST(last_day AS DATE) + 15
), session AS (
  SELECT symbol, trading_date FROM query_table(bands) SEMI JOIN action USING (symbol)
  WHERE ref_price > 0 AND trading_date BETWEEN CAST(first_day AS DATE) - 60 AND CAST(last_day AS DATE) + 60
  UNION
  SELECT symbol, trading_date FROM summary SEMI JOIN action USING (symbol)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) - 60 AND CAST(last_day AS DATE) + 60
), placed_action AS (
  SELECT action.* EXCLUDE (ex_date), action.ex_date AS declared_for,
    CASE WHEN session.trading_date - action.ex_date <= 45 THEN session.trading_date ELSE action.ex_date END
      AS ex_date
  FROM action
  ASOF LEFT JOIN session ON session.symbol = action.symbol AND action.ex_date <= session.trading_date
), declared_day AS (
  SELECT symbol, ex_date, declared_for, list(kind) AS day_kinds,
    coalesce(sum(CAST(amount AS DOUBLE)) FILTER (kind = 'cash_dividend'), 0) AS cash,
    coalesce(sum(ratio) FILTER (kind IN ('stock_dividend', 'bonus')), 0) AS new_shares,
    coalesce(sum(ratio) FILTER (kind = 'rights'), 0) AS rights,
    coalesce(sum(ratio * CAST(price AS DOUBLE)) FILTER (kind = 'rights'), 0) AS rights_money,
    coalesce(product(ratio) FILTER (kind IN ('split', 'consolidation')), 1) AS split
  FROM placed_action
  GROUP BY symbol, ex_date, declared_for
), compounded_day AS (
  -- of several days within a suspension, the later ones are per share as held then
  SELECT *, coalesce(product(1 + new_shares + rights) OVER earlier_day, 1) AS growth_before,
    growth_before * coalesce(product(split) OVER earlier_day, 1) AS held_before
  FROM declared_day
  WINDOW earlier_day AS (PARTITION BY symbol, ex_date ORDER BY declared_for
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), declared AS (
  SELECT symbol, ex_date, array_to_string(list_sort(flatten(list(day_kinds))), ', ') AS kinds,
    string_agg(CAST(declared_for AS VARCHAR), ', ' ORDER BY declared_for) FILTER (declared_for < ex_date)
      AS other_days,
    sum(cash * held_before) AS cash, sum(new_shares * growth_before) AS new_shares,
    sum(rights * growth_before) AS rights, sum(rights_money * held_before) AS rights_money,
    product(split) AS split
  FROM compounded_day
  GROUP BY symbol, ex_date
), declared_basis AS (
  -- without a reference to compare, the latest close counts
  SELECT declared.*, compared.* EXCLUDE (symbol, ex_date),
    compared.symbol IS NOT NULL AND NOT compared.is_fault AND (compared.is_event OR NOT compared.market_wide)
      AS is_compared,
    coalesce(CAST(compared.previous_basis AS DOUBLE), CASE WHEN declared.ex_date - summary.trading_date <= 45
      THEN summary.close END) AS basis
  FROM declared
  LEFT JOIN compared ON compared.symbol = declared.symbol AND compared.ex_date = declared.ex_date
  ASOF LEFT JOIN summary ON summary.symbol = declared.symbol AND declared.ex_date > summary.trading_date
), expected AS (
  -- shares alone need no price
  SELECT *,
    mart.expected_reference(coalesce(basis, CASE WHEN cash = 0 AND rights = 0 THEN 1 END), cash,
      new_shares, rights, rights_money, split) / coalesce(basis, 1) AS computed_factor,
    CASE WHEN computed_factor BETWEEN 0.001 AND 1000 THEN computed_factor END AS declared_factor,
    CASE
      WHEN new_shares = 0 AND rights = 0 AND split = 1 THEN 0
      WHEN cash = 0 THEN 1
      ELSE ln(mart.expected_reference(basis, 0, new_shares, rights, rights_money, split) / basis)
        / ln(declared_factor)
    END AS share_part
  FROM declared_basis
), moved AS (
  -- a break of another day that the declaration explains: its date is wrong
  SELECT expected.symbol, expected.ex_date,
    min_by(other.ex_date, abs(other.ex_date - expected.ex_date)) AS broken_on
  FROM expected
  JOIN compared other
    ON other.symbol = expected.symbol AND other.ex_date <> expected.ex_date
      AND other.ex_date BETWEEN expected.ex_date - 15 AND expected.ex_date + 15
  ANTI JOIN declared ON declared.symbol = other.symbol AND declared.ex_date = other.ex_date
  WHERE other.differs AND NOT other.is_fault
    AND NOT coalesce(expected.differs AND expected.is_compared, false)
    AND abs(CAST(other.ref_price AS DOUBLE)
      - mart.expected_reference(CAST(other.previous_basis AS DOUBLE), cash, new_shares, rights, rights_money,
        split)) <= (other.noise_ticks + 2) * other.tick
  GROUP BY expected.symbol, expected.ex_date
), assessed_action AS (
  SELECT expected.*, moved.broken_on,
    -- what rounding to the tick, the noise of the day and the unknown rounding of UPCOM leave open
    coalesce(abs(CAST(ref_price AS DOUBLE) - basis * declared_factor) <= (noise_ticks
      + CASE basis_kind WHEN 'average' THEN 2 ELSE 1 END) * tick, false) AS agrees_by_tick,
    coalesce(agrees_by_tick OR open_move > 0 AND abs(ln(factor / declared_factor)) <= open_move, false)
      AS agrees,
    -- by the tick both sources say that nothing else moved the price
    agrees AND ticks_off > 0 AND (agrees_by_tick OR NOT is_unknown)
      AND (factor < 1) = (declared_factor < 1) AS is_confirmed,
    agrees AND NOT agrees_by_tick AS is_open,
    cash > 0 AND cash >= basis AS is_refused
  FROM expected LEFT JOIN moved USING (symbol, ex_date)
), declared_event AS (
  SELECT *, CASE
    WHEN is_confirmed THEN 'confirmed'
    WHEN broken_on IS NOT NULL OR is_compared AND differs AND NOT agrees THEN 'contradicted'
    ELSE 'declared'
  END AS state,
  CASE
    -- the factor that the reference shows has the move of the unknown sessions in it
    WHEN is_confirmed THEN CASE WHEN is_open THEN declared_factor ELSE factor END
    WHEN state = 'contradicted' THEN CASE WHEN is_event THEN factor ELSE 1 END
    WHEN is_compared AND NOT agrees AND NOT coalesce(is_beyond_limit, false) THEN 1
    ELSE coalesce(declared_factor, 1)
  END AS chain_factor,
  CASE
    WHEN is_refused
      THEN format('refused: the cash, {:.0f}, is not less than the price before it, {:.0f}', cash, basis)
    WHEN broken_on IS NOT NULL AND state = 'contradicted' THEN 'the reference price breaks on ' || broken_on
    WHEN state = 'contradicted' AND factor > 1 AND NOT is_event
      THEN 'the reference price rises otherwise than declared'
    WHEN state = 'contradicted' THEN 'the reference price gives another factor'
    WHEN is_confirmed AND NOT is_open THEN NULL
    WHEN is_open THEN 'the prices of a session before it are not known'
    WHEN computed_factor IS NULL THEN 'no price before it: the factor is not known'
    WHEN declared_factor IS NULL THEN 'refused: the factor is not between 0.001 and 1000'
    WHEN previous_basis IS NULL THEN 'no reference price to compare'
    WHEN is_fault THEN 'the prices of the session contradict the reference price'
    WHEN NOT is_compared THEN 'the reference prices of the day are at fault'
    WHEN agrees THEN 'smaller than the tick or the noise of the day'
    WHEN is_beyond_limit THEN 'the close lies beyond the limits of a reference price that repeats its basis'
    ELSE 'the reference price does not show it'
  END AS own_remark
  FROM assessed_action
)
SELECT symbol, ex_date, basis_date, previous_basis, ref_price, chain_factor AS factor, basis_kind, state,
  kinds, factor AS observed_factor, declared_factor,
  CASE share_part WHEN 0 THEN 1 WHEN 1 THEN chain_factor ELSE exp(share_part * ln(chain_factor))
    END AS share_factor,
  nullif(concat_ws('; ', 'declared for ' || other_days || ', without a session', own_remark), '') AS remark
FROM declared_event
WHERE ex_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
UNION ALL
SELECT symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind, 'observed', NULL, factor,
  NULL, NULL, NULL
FROM compared ANTI JOIN declared USING (symbol, ex_date)
WHERE is_event AND ex_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE);
COMMENT ON MACRO TABLE mart.corporate_event IS
  'Corporate actions by two sources, the reference price and the declarations, for relations given by '
  'name: what fills adjustment_event.';
