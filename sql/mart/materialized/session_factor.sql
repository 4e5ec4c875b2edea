-- grain: one row per symbol and session to refresh on which the symbol was listed
-- A window reaches back 120 days (20 and 60 sessions, streaks) or 395 (120 and 250 sessions, 52 weeks), and a
-- return 45 days more: what is older counts nowhere, so that a session's row does not depend on where the
-- rows that were read begin. For the same reason no DOUBLE is added: returns and logarithms are whole numbers
-- of 1e-12 or 1e-15, whose sums are exact in any order. The sums over windows are
-- sql/refresh/sums_of_many.sql or, for few sessions, sums_of_few.sql: both return the same. What readers do
-- not see (withheld_session: whole sessions, withheld_symbol) is not there.
WITH band AS (
  -- the short windows read it, and sessions to refresh: nothing that looks back further
  SELECT symbol, trading_date, upper(exchange) AS board, ref_price,
    CASE WHEN ceiling > floor AND floor > 0 THEN ceiling END AS ceiling,
    CASE WHEN ceiling > floor AND floor > 0 THEN floor END AS floor
  FROM market.price_limit
    ANTI JOIN (FROM withheld_symbol WHERE relation = 'market.price_limit') USING (symbol, trading_date)
  WHERE trading_date BETWEEN getvariable('refresh_first') - 165 AND getvariable('refresh_last')
    AND hash(symbol) % getvariable('refresh_parts') = getvariable('refresh_part')
    AND trading_date NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.price_limit')
), summary AS (
  SELECT symbol, trading_date, true AS is_reported,
    CASE WHEN close > 0 THEN close END AS close, high, low,
    total_match, total_match_value, total_deal, total_deal_value,
    total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value
  FROM market.daily_summary
    ANTI JOIN (FROM withheld_symbol WHERE relation = 'market.daily_summary') USING (symbol, trading_date)
  WHERE trading_date BETWEEN getvariable('refresh_first') - 440 AND getvariable('refresh_last')
    AND hash(symbol) % getvariable('refresh_parts') = getvariable('refresh_part')
    AND trading_date NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.daily_summary')
), withheld_event AS (
  SELECT symbol, trading_date AS ex_date FROM withheld_symbol WHERE relation = 'mart.adjustment_event'
), visible_event AS (
  SELECT symbol, ex_date, state, factor
  FROM mart.adjustment_event ANTI JOIN withheld_event USING (symbol, ex_date)
  WHERE ex_date NOT IN (
    SELECT trading_date FROM withheld_session WHERE relation = 'mart.adjustment_event')
), reference_glitch AS (
  SELECT trading_date FROM mart.reference_glitch
  WHERE trading_date NOT IN (
    SELECT trading_date FROM withheld_session WHERE relation = 'mart.reference_glitch')
), unadjusted_reference AS (
  -- a declared action that the reference does not show, although it should
  SELECT symbol, ex_date AS trading_date, true AS is_unadjusted
  FROM visible_event
  WHERE state = 'declared' AND factor <> 1
), symbol_session AS MATERIALIZED (
  SELECT *,
    trading_date IN (SELECT unnest(getvariable('refresh_days'))) AS is_target,
    CASE WHEN ref_price > 0 AND trading_date NOT IN (FROM reference_glitch) AND is_unadjusted IS NULL
      THEN ref_price END AS believed_reference
  FROM band FULL JOIN summary USING (symbol, trading_date)
    LEFT JOIN unadjusted_reference USING (symbol, trading_date)
), recent_session AS MATERIALIZED (
  -- what the short windows read
  FROM symbol_session WHERE trading_date >= getvariable('refresh_first') - 165
), covered_session AS (
  SELECT DISTINCT key, window_from AS trading_date
  FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND state IN ('complete', 'empty')
    AND window_from BETWEEN getvariable('refresh_first') - 165 AND getvariable('refresh_last')
    -- what is withheld from readers was answered, but is not visible
    AND window_from IN (SELECT trading_date FROM market.daily_summary)
    AND window_from NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.daily_summary')
), listed_session AS (
  SELECT session.symbol, session.trading_date, session.is_target,
    session.is_reported IS NOT NULL OR withheld_summary.symbol IS NULL
      AND (whole_market.trading_date IS NOT NULL OR single_symbol.trading_date IS NOT NULL) AS is_known,
    CASE WHEN is_known THEN coalesce(session.total_match, 0) END AS volume,
    CASE WHEN volume = 0 THEN 0 ELSE session.total_match_value END AS value,
    CASE WHEN is_known THEN coalesce(session.total_deal, 0) END AS deal_volume,
    CASE WHEN deal_volume = 0 THEN 0 ELSE session.total_deal_value END AS deal_value
  FROM recent_session session
  LEFT JOIN covered_session whole_market
    ON whole_market.key = '*' AND whole_market.trading_date = session.trading_date
  LEFT JOIN covered_session single_symbol
    ON single_symbol.key = session.symbol AND single_symbol.trading_date = session.trading_date
  LEFT JOIN (FROM withheld_symbol WHERE relation = 'market.daily_summary') withheld_summary
    ON withheld_summary.symbol = session.symbol AND withheld_summary.trading_date = session.trading_date
), foreign_session AS (
  SELECT symbol, trading_date, is_target,
    CASE WHEN coalesce(total_match, 0) = 0 AND coalesce(total_deal, 0) = 0 THEN 0 END AS idle,
    coalesce(CAST(total_foreign_buy AS HUGEINT) - total_foreign_sell, idle) AS net_volume,
    coalesce(CAST(total_foreign_buy_value AS DECIMAL(38,4)) - total_foreign_sell_value, idle) AS net_value
  FROM recent_session
  WHERE is_reported
), traded_session AS (
  SELECT symbol, trading_date, is_target, ceiling, floor, close
  FROM recent_session
  WHERE total_match > 0 AND close IS NOT NULL
), adjustment AS (
  -- valid until the next event
  SELECT symbol, ex_date,
    lead(ex_date, 1, DATE '9999-12-31') OVER events AS next_date,
    sum(CAST(round(ln(factor) * 1e15) AS HUGEINT)) OVER events AS log_adjustment
  FROM visible_event
  WHERE ex_date <= getvariable('refresh_last')
  WINDOW events AS (PARTITION BY symbol ORDER BY ex_date)
), withheld_index AS (
  SELECT symbol AS index_code, trading_date FROM withheld_symbol WHERE relation = 'market.index_summary'
), index_level AS (
  SELECT trading_date,
    max(CAST(index_value AS DOUBLE)) FILTER (code = 'VNINDEX') AS vnindex,
    max(CAST(index_value AS DOUBLE)) FILTER (code = 'VN30') AS vn30
  FROM (SELECT mart.plain_index_code(index_code) AS code, trading_date, index_value
    FROM market.index_summary ANTI JOIN withheld_index USING (index_code, trading_date)
    WHERE index_value > 0
      AND trading_date BETWEEN getvariable('refresh_first') - 440 AND getvariable('refresh_last')) level
  WHERE code IN ('VNINDEX', 'VN30') AND trading_date NOT IN (
    SELECT trading_date FROM withheld_session WHERE relation = 'market.index_summary')
  GROUP BY trading_date
), close_session AS (
  SELECT session.symbol, session.trading_date, session.is_target, session.close, session.high, session.low,
    session.total_match, session.believed_reference, index_level.vnindex, index_level.vn30,
    coalesce(adjustment.log_adjustment, 0) AS log_adjustment
  FROM (FROM symbol_session WHERE close IS NOT NULL) session
  LEFT JOIN adjustment ON adjustment.symbol = session.symbol
    AND session.trading_date >= adjustment.ex_date AND session.trading_date < adjustment.next_date
  LEFT JOIN index_level ON index_level.trading_date = session.trading_date
), close_history AS MATERIALIZED (
  -- number_vnindex: of the symbol's sessions with a level of the index
  SELECT *,
    row_number() OVER history AS number,
    count(vnindex) OVER history AS number_vnindex, count(vn30) OVER history AS number_vn30,
    lag(trading_date) OVER history AS date_before,
    lag(vnindex) OVER history AS vnindex_before, lag(vn30) OVER history AS vn30_before,
    mart.return_since(close, log_adjustment,
      lag(close) OVER history, lag(log_adjustment) OVER history) AS step_return,
    trading_date - date_before <= 45 AND step_return < 1e4 AS is_step
  FROM close_session
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date ROWS UNBOUNDED PRECEDING)
), intraday AS (
  SELECT symbol, trading_date, realised_variance
  FROM mart.intraday
    ANTI JOIN (FROM withheld_symbol WHERE relation = 'mart.intraday') USING (symbol, trading_date)
  WHERE trading_date BETWEEN getvariable('refresh_first') - 120 AND getvariable('refresh_last')
    AND trading_date NOT IN (SELECT trading_date FROM withheld_session WHERE relation = 'mart.intraday')
), volatility_session AS (
  SELECT history.symbol, history.trading_date, history.is_target, history.number,
    -- from close to close: UPCOM's reference is an average, from which the move of the day before is missing
    CASE WHEN history.trading_date - history.date_before <= 45
      THEN CAST(round(ln(nullif(1 + history.step_return, 0)) * 1e15) AS HUGEINT) END AS log_return,
    CASE WHEN history.total_match > 0 AND history.low > 0 AND history.high >= history.low
      THEN CAST(round(ln(CAST(history.high AS DOUBLE) / CAST(history.low AS DOUBLE)) ^ 2 * 1e15)
        AS HUGEINT) END AS squared_range,
    CAST(round(intraday.realised_variance * 1e15) AS HUGEINT) AS realised_variance
  FROM (FROM close_history WHERE trading_date >= getvariable('refresh_first') - 120) history
  LEFT JOIN intraday
    ON intraday.symbol = history.symbol AND intraday.trading_date = history.trading_date
), range_session AS (
  -- logarithms of adjusted prices, apart from a constant per symbol: differences alone are used
  SELECT symbol, trading_date, is_target,
    CAST(round(ln(CAST(close AS DOUBLE)) * 1e15) AS HUGEINT) - log_adjustment AS log_close,
    CASE WHEN total_match > 0 THEN CAST(round(ln(CAST(greatest(high, close) AS DOUBLE)) * 1e15) AS HUGEINT)
      - log_adjustment END AS log_high,
    CASE WHEN total_match > 0 THEN CAST(round(ln(CAST(least(CASE WHEN low > 0 THEN low END, close)
      AS DOUBLE)) * 1e15) AS HUGEINT) - log_adjustment END AS log_low
  FROM close_history
  WHERE trading_date >= getvariable('refresh_first') - 364
), index_return AS (
  -- a change above ten thousand times is a misplaced unit, and its square would not fit
  SELECT 'VNINDEX' AS index_code, symbol, trading_date, is_target, number_vnindex AS number,
    step_return, vnindex / vnindex_before - 1 AS index_return, is_step AND index_return < 1e4 AS is_pair
  FROM close_history
  WHERE vnindex IS NOT NULL AND trading_date >= getvariable('refresh_first') - 395
  UNION ALL
  SELECT 'VN30', symbol, trading_date, is_target, number_vn30,
    step_return, vn30 / vn30_before - 1 AS index_return, is_step AND index_return < 1e4
  FROM close_history
  WHERE vn30 IS NOT NULL AND trading_date >= getvariable('refresh_first') - 395
), return_pair AS (
  SELECT index_code, symbol, trading_date, is_target, number,
    CASE WHEN is_pair THEN CAST(round(step_return * 1e12) AS HUGEINT) END AS x,
    CASE WHEN is_pair THEN CAST(round(index_return * 1e12) AS HUGEINT) END AS y
  FROM index_return
), $sums, close_return AS (
  SELECT symbol, trading_date, close, believed_reference AS ref_price,
    mart.return_since(close, log_adjustment, close_1, log_1) AS close_return_1,
    coalesce(CAST(close AS DOUBLE) / CAST(believed_reference AS DOUBLE) - 1, close_return_1) AS return_1,
    mart.return_since(close, log_adjustment, close_5, log_5) AS return_5,
    mart.return_since(close, log_adjustment, close_20, log_20) AS return_20,
    mart.return_since(close, log_adjustment, close_60, log_60) AS return_60,
    mart.return_since(close, log_adjustment, close_120, log_120) AS return_120,
    mart.return_since(close, log_adjustment, close_250, log_250) AS return_250
  FROM earlier_close
), volatility AS (
  SELECT symbol, trading_date,
    CASE WHEN returns_20 >= 15 THEN sqrt(CAST(returns_20 * square_sum_20 - return_sum_20 * return_sum_20
      AS DOUBLE) / (returns_20 * (returns_20 - 1)) * 250) / 1e15 END AS close_volatility_20,
    CASE WHEN returns_60 >= 45 THEN sqrt(CAST(returns_60 * square_sum_60 - return_sum_60 * return_sum_60
      AS DOUBLE) / (returns_60 * (returns_60 - 1)) * 250) / 1e15 END AS close_volatility_60,
    CASE WHEN ranges_20 >= 15 THEN sqrt(CAST(range_sum_20 AS DOUBLE) / ranges_20 / 1e15
      / (4 * ln(2)) * 250) END AS parkinson_volatility_20,
    CASE WHEN ranges_60 >= 45 THEN sqrt(CAST(range_sum_60 AS DOUBLE) / ranges_60 / 1e15
      / (4 * ln(2)) * 250) END AS parkinson_volatility_60,
    CASE WHEN variances_20 >= 15 THEN sqrt(CAST(variance_sum_20 AS DOUBLE) / variances_20 / 1e15
      * 250) END AS intraday_volatility_20,
    CASE WHEN variances_60 >= 45 THEN sqrt(CAST(variance_sum_60 AS DOUBLE) / variances_60 / 1e15
      * 250) END AS intraday_volatility_60
  FROM volatility_sum
), range_52w AS (
  SELECT symbol, trading_date,
    exp(CAST(log_close - greatest(log_high, high_before) AS DOUBLE) / 1e15) - 1 AS from_high_52w,
    exp(CAST(log_close - least(log_low, low_before) AS DOUBLE) / 1e15) - 1 AS from_low_52w,
    -- above by more than a billionth
    log_high - high_before > 1000000 AS is_new_high_52w,
    log_low - low_before < -1000000 AS is_new_low_52w,
    sessions_before + CASE WHEN log_high IS NULL THEN 0 ELSE 1 END AS sessions_52w
  FROM range_before
), centred_sum AS (
  -- below 1e-12 a sum of squares is rounding: a price that never moved
  SELECT symbol, index_code, trading_date, n_120, n_250,
    CASE WHEN n_120 >= 60 THEN CAST(n_120 * xy_120 - x_120 * y_120 AS DOUBLE) END AS cxy_120,
    nullif(greatest(CAST(n_120 * xx_120 - x_120 * x_120 AS DOUBLE), n_120 * 1e12), n_120 * 1e12) AS cxx_120,
    nullif(greatest(CAST(n_120 * yy_120 - y_120 * y_120 AS DOUBLE), n_120 * 1e12), n_120 * 1e12) AS cyy_120,
    CASE WHEN n_250 >= 125 THEN CAST(n_250 * xy_250 - x_250 * y_250 AS DOUBLE) END AS cxy_250,
    nullif(greatest(CAST(n_250 * xx_250 - x_250 * x_250 AS DOUBLE), n_250 * 1e12), n_250 * 1e12) AS cxx_250,
    nullif(greatest(CAST(n_250 * yy_250 - y_250 * y_250 AS DOUBLE), n_250 * 1e12), n_250 * 1e12) AS cyy_250
  FROM pair_sum
), index_beta AS MATERIALIZED (
  -- rounded: 1.0000000000000013 is not a valid correlation
  SELECT symbol, index_code, trading_date,
    cxy_120 / cyy_120 AS beta_120, round(cxy_120 / sqrt(cxx_120 * cyy_120), 12) AS correlation_120, n_120,
    cxy_250 / cyy_250 AS beta_250, round(cxy_250 / sqrt(cxx_250 * cyy_250), 12) AS correlation_250, n_250
  FROM centred_sum
)
SELECT session.symbol, session.trading_date, session.board,
  returned.close, returned.ref_price, returned.return_1, returned.close_return_1, returned.return_5,
  returned.return_20, returned.return_60, returned.return_120, returned.return_250,
  volatility.close_volatility_20, volatility.close_volatility_60,
  volatility.parkinson_volatility_20, volatility.parkinson_volatility_60,
  volatility.intraday_volatility_20, volatility.intraday_volatility_60,
  range_52w.from_high_52w, range_52w.from_low_52w, range_52w.is_new_high_52w, range_52w.is_new_low_52w,
  range_52w.sessions_52w,
  liquidity.is_known, liquidity.sessions_20, liquidity.zero_trade_days_20,
  liquidity.mean_volume_20, liquidity.median_volume_20, liquidity.mean_value_20, liquidity.median_value_20,
  liquidity.mean_deal_volume_20, liquidity.mean_deal_value_20,
  CASE WHEN liquidity.sessions_20 < 10 THEN NULL
    WHEN liquidity.median_value_20 >= 100e9 THEN 1 WHEN liquidity.median_value_20 >= 10e9 THEN 2
    WHEN liquidity.median_value_20 >= 1e9 THEN 3 WHEN liquidity.median_value_20 >= 0 THEN 4 END AS tier,
  CAST(flow.net_volume_5 AS DOUBLE) AS foreign_net_volume_5,
  CAST(flow.net_value_5 AS DOUBLE) AS foreign_net_value_5,
  CAST(flow.net_volume_20 AS DOUBLE) AS foreign_net_volume_20,
  CAST(flow.net_value_20 AS DOUBLE) AS foreign_net_value_20,
  CASE WHEN flow.net_value > 0 THEN flow.sessions_buying WHEN flow.net_value < 0 THEN -flow.sessions_selling
    WHEN flow.net_value = 0 THEN 0 END AS foreign_streak,
  CASE WHEN hit.close >= hit.ceiling THEN hit.sessions_above
    WHEN hit.close <= hit.floor THEN -hit.sessions_below
    WHEN hit.ceiling IS NOT NULL THEN 0 END AS limit_streak,
  vnindex.beta_120 AS beta_vnindex_120, vnindex.correlation_120 AS correlation_vnindex_120,
  vnindex.n_120 AS pairs_vnindex_120,
  vnindex.beta_250 AS beta_vnindex_250, vnindex.correlation_250 AS correlation_vnindex_250,
  vnindex.n_250 AS pairs_vnindex_250,
  vn30.beta_120 AS beta_vn30_120, vn30.correlation_120 AS correlation_vn30_120, vn30.n_120 AS pairs_vn30_120,
  vn30.beta_250 AS beta_vn30_250, vn30.correlation_250 AS correlation_vn30_250, vn30.n_250 AS pairs_vn30_250
FROM (FROM symbol_session WHERE is_target) session
LEFT JOIN close_return returned
  ON returned.symbol = session.symbol AND returned.trading_date = session.trading_date
LEFT JOIN volatility ON volatility.symbol = session.symbol AND volatility.trading_date = session.trading_date
LEFT JOIN range_52w ON range_52w.symbol = session.symbol AND range_52w.trading_date = session.trading_date
LEFT JOIN liquidity_sum liquidity
  ON liquidity.symbol = session.symbol AND liquidity.trading_date = session.trading_date
LEFT JOIN foreign_sum flow
  ON flow.symbol = session.symbol AND flow.trading_date = session.trading_date
LEFT JOIN limit_run hit
  ON hit.symbol = session.symbol AND hit.trading_date = session.trading_date
LEFT JOIN (FROM index_beta WHERE index_code = 'VNINDEX') vnindex
  ON vnindex.symbol = session.symbol AND vnindex.trading_date = session.trading_date
LEFT JOIN (FROM index_beta WHERE index_code = 'VN30') vn30
  ON vn30.symbol = session.symbol AND vn30.trading_date = session.trading_date
