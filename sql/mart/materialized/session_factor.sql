-- grain: one row per symbol and session to refresh on which the symbol was listed
-- A window reaches back 120 days (20 and 60 sessions, streaks) or 395 (120 and 250 sessions, 52 weeks), and a
-- return 45 days more: what is older counts nowhere, so that a session's row does not depend on where the
-- rows that were read begin. For the same reason no DOUBLE is added: returns and logarithms are whole numbers
-- of 1e-12 or 1e-15, whose sums are exact in any order. Frames are empty but for the sessions to refresh: one
-- session costs a third of what all would. What readers do not see (withheld_session) is not there.
WITH band AS (
  SELECT symbol, trading_date, upper(exchange) AS board, ref_price,
    CASE WHEN ceiling > floor AND floor > 0 THEN ceiling END AS ceiling,
    CASE WHEN ceiling > floor AND floor > 0 THEN floor END AS floor
  FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('refresh_first') - 440 AND getvariable('refresh_last')
    AND hash(symbol) % getvariable('refresh_parts') = getvariable('refresh_part')
    AND trading_date NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.price_limit')
), summary AS (
  SELECT symbol, trading_date, true AS is_reported,
    CASE WHEN close > 0 THEN close END AS close, high, low,
    total_match, total_match_value, total_deal, total_deal_value,
    total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('refresh_first') - 440 AND getvariable('refresh_last')
    AND hash(symbol) % getvariable('refresh_parts') = getvariable('refresh_part')
    AND trading_date NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.daily_summary')
), reference_glitch AS (
  SELECT trading_date FROM mart.reference_glitch
  WHERE trading_date NOT IN (
    SELECT trading_date FROM withheld_session WHERE relation = 'mart.reference_glitch')
), symbol_session AS MATERIALIZED (
  SELECT *,
    trading_date IN (SELECT unnest(getvariable('refresh_days'))) AS is_target,
    CASE WHEN ref_price > 0 AND trading_date NOT IN (FROM reference_glitch)
      THEN ref_price END AS believed_reference
  FROM band FULL JOIN summary USING (symbol, trading_date)
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
    session.is_reported IS NOT NULL OR whole_market.trading_date IS NOT NULL
      OR single_symbol.trading_date IS NOT NULL AS is_known,
    CASE WHEN is_known THEN coalesce(session.total_match, 0) END AS volume,
    CASE WHEN volume = 0 THEN 0 ELSE session.total_match_value END AS value,
    CASE WHEN is_known THEN coalesce(session.total_deal, 0) END AS deal_volume,
    CASE WHEN deal_volume = 0 THEN 0 ELSE session.total_deal_value END AS deal_value
  FROM recent_session session
  LEFT JOIN covered_session whole_market
    ON whole_market.key = '*' AND whole_market.trading_date = session.trading_date
  LEFT JOIN covered_session single_symbol
    ON single_symbol.key = session.symbol AND single_symbol.trading_date = session.trading_date
), listed_frame AS (
  SELECT *, CASE WHEN is_target THEN least(20, count(*) OVER (PARTITION BY symbol ORDER BY trading_date
    RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW)) ELSE 0 END - 1 AS back_20
  FROM listed_session
), liquidity_window AS (
  SELECT symbol, trading_date, is_target, is_known,
    count(volume) OVER last_20 AS sessions_20,
    count(*) FILTER (WHERE volume = 0) OVER last_20 AS zero_trade_days_20,
    sum(volume) OVER last_20 / nullif(count(volume) OVER last_20, 0) AS mean_volume_20,
    median(volume) OVER last_20 AS median_volume_20,
    CAST(sum(value) OVER last_20 AS DOUBLE) / nullif(count(value) OVER last_20, 0) AS mean_value_20,
    median(CAST(value AS DOUBLE)) OVER last_20 AS median_value_20,
    sum(deal_volume) OVER last_20 / nullif(count(deal_volume) OVER last_20, 0) AS mean_deal_volume_20,
    CAST(sum(deal_value) OVER last_20 AS DOUBLE)
      / nullif(count(deal_value) OVER last_20, 0) AS mean_deal_value_20
  FROM listed_frame
  WINDOW last_20 AS (PARTITION BY symbol
    ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW)
), foreign_session AS (
  SELECT symbol, trading_date, is_target,
    CASE WHEN coalesce(total_match, 0) = 0 AND coalesce(total_deal, 0) = 0 THEN 0 END AS idle,
    coalesce(CAST(total_foreign_buy AS HUGEINT) - total_foreign_sell, idle) AS net_volume,
    coalesce(CAST(total_foreign_buy_value AS DECIMAL(38,4)) - total_foreign_sell_value, idle) AS net_value,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS sessions,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session
  FROM recent_session
  WHERE is_reported
), foreign_frame AS (
  SELECT *,
    CASE WHEN is_target THEN least(5, sessions) ELSE 0 END - 1 AS back_5,
    CASE WHEN is_target THEN least(20, sessions) ELSE 0 END - 1 AS back_20,
    CASE WHEN is_target THEN sessions ELSE 0 END - 1 AS back_all
  FROM foreign_session
), foreign_window AS (
  SELECT symbol, trading_date, is_target, net_value, session, sessions,
    CASE WHEN count(net_volume) OVER last_5 = 5 THEN sum(net_volume) OVER last_5 END AS net_volume_5,
    CASE WHEN count(net_value) OVER last_5 = 5 THEN sum(net_value) OVER last_5 END AS net_value_5,
    CASE WHEN count(net_volume) OVER last_20 = 20 THEN sum(net_volume) OVER last_20 END AS net_volume_20,
    CASE WHEN count(net_value) OVER last_20 = 20 THEN sum(net_value) OVER last_20 END AS net_value_20,
    max(session) FILTER (WHERE NOT coalesce(net_value > 0, false)) OVER history AS last_not_buying,
    max(session) FILTER (WHERE NOT coalesce(net_value < 0, false)) OVER history AS last_not_selling
  FROM foreign_frame
  WINDOW last_5 AS (PARTITION BY symbol
      ORDER BY trading_date ROWS BETWEEN back_5 PRECEDING AND CURRENT ROW),
    last_20 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW),
    history AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_all PRECEDING AND CURRENT ROW)
), traded_session AS (
  SELECT symbol, trading_date, is_target, ceiling, floor, close,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS sessions,
    CASE WHEN is_target THEN sessions ELSE 0 END - 1 AS back_all,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session
  FROM recent_session
  WHERE total_match > 0 AND close IS NOT NULL
), limit_window AS (
  SELECT symbol, trading_date, is_target, ceiling, floor, close, session, sessions,
    max(session) FILTER (WHERE coalesce(close < ceiling, true)) OVER history AS last_below,
    max(session) FILTER (WHERE coalesce(close > floor, true)) OVER history AS last_above
  FROM traded_session
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date
    ROWS BETWEEN back_all PRECEDING AND CURRENT ROW)
), adjustment AS (
  SELECT symbol, ex_date,
    sum(CAST(round(ln(factor) * 1e15) AS HUGEINT)) OVER (PARTITION BY symbol
      ORDER BY ex_date ROWS UNBOUNDED PRECEDING) AS log_adjustment
  FROM mart.adjustment_event
  WHERE ex_date <= getvariable('refresh_last') AND ex_date NOT IN (
    SELECT trading_date FROM withheld_session WHERE relation = 'mart.adjustment_event')
), close_session AS (
  SELECT session.symbol, session.trading_date, session.is_target, session.close, session.high, session.low,
    session.total_match, session.believed_reference,
    coalesce(adjustment.log_adjustment, 0) AS log_adjustment
  FROM (FROM symbol_session WHERE close IS NOT NULL) session
  ASOF LEFT JOIN adjustment
    ON adjustment.symbol = session.symbol AND session.trading_date >= adjustment.ex_date
), close_history AS MATERIALIZED (
  SELECT *,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 395 DAY PRECEDING AND CURRENT ROW) AS sessions,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 364 DAY PRECEDING AND CURRENT ROW) AS sessions_52w,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS recent_sessions,
    lag(trading_date) OVER history AS date_before,
    mart.return_since(close, log_adjustment,
      lag(close) OVER history, lag(log_adjustment) OVER history) AS step_return,
    mart.return_since(close, log_adjustment,
      lag(close, 5) OVER history, lag(log_adjustment, 5) OVER history) AS step_return_5,
    mart.return_since(close, log_adjustment,
      lag(close, 20) OVER history, lag(log_adjustment, 20) OVER history) AS step_return_20,
    mart.return_since(close, log_adjustment,
      lag(close, 60) OVER history, lag(log_adjustment, 60) OVER history) AS step_return_60,
    mart.return_since(close, log_adjustment,
      lag(close, 120) OVER history, lag(log_adjustment, 120) OVER history) AS step_return_120,
    mart.return_since(close, log_adjustment,
      lag(close, 250) OVER history, lag(log_adjustment, 250) OVER history) AS step_return_250
  FROM close_session
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date)
), close_return AS (
  SELECT symbol, trading_date, close, believed_reference AS ref_price,
    CASE WHEN sessions > 1 THEN step_return END AS close_return_1,
    coalesce(CAST(close AS DOUBLE) / CAST(believed_reference AS DOUBLE) - 1, close_return_1) AS return_1,
    CASE WHEN sessions > 5 THEN step_return_5 END AS return_5,
    CASE WHEN sessions > 20 THEN step_return_20 END AS return_20,
    CASE WHEN sessions > 60 THEN step_return_60 END AS return_60,
    CASE WHEN sessions > 120 THEN step_return_120 END AS return_120,
    CASE WHEN sessions > 250 THEN step_return_250 END AS return_250
  FROM close_history
  WHERE is_target
), intraday AS (
  SELECT symbol, trading_date, realised_variance
  FROM mart.intraday
  WHERE trading_date BETWEEN getvariable('refresh_first') - 120 AND getvariable('refresh_last')
    AND trading_date NOT IN (SELECT trading_date FROM withheld_session WHERE relation = 'mart.intraday')
), volatility_session AS (
  SELECT history.symbol, history.trading_date, history.is_target,
    CASE WHEN history.is_target THEN least(20, history.recent_sessions) ELSE 0 END - 1 AS back_20,
    CASE WHEN history.is_target THEN least(60, history.recent_sessions) ELSE 0 END - 1 AS back_60,
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
), volatility_sum AS (
  SELECT symbol, trading_date, is_target,
    count(log_return) OVER last_20 AS returns_20, count(log_return) OVER last_60 AS returns_60,
    sum(log_return) OVER last_20 AS return_sum_20, sum(log_return) OVER last_60 AS return_sum_60,
    sum(log_return * log_return) OVER last_20 AS square_sum_20,
    sum(log_return * log_return) OVER last_60 AS square_sum_60,
    count(squared_range) OVER last_20 AS ranges_20, count(squared_range) OVER last_60 AS ranges_60,
    sum(squared_range) OVER last_20 AS range_sum_20, sum(squared_range) OVER last_60 AS range_sum_60,
    count(realised_variance) OVER last_20 AS variances_20,
    count(realised_variance) OVER last_60 AS variances_60,
    sum(realised_variance) OVER last_20 AS variance_sum_20,
    sum(realised_variance) OVER last_60 AS variance_sum_60
  FROM volatility_session
  WINDOW last_20 AS (PARTITION BY symbol
      ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW),
    last_60 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_60 PRECEDING AND CURRENT ROW)
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
  WHERE is_target
), range_session AS (
  -- logarithms of adjusted prices, apart from a constant per symbol: differences alone are used
  SELECT symbol, trading_date, is_target,
    CASE WHEN is_target THEN sessions_52w ELSE 0 END - 1 AS back_52w,
    CAST(round(ln(CAST(close AS DOUBLE)) * 1e15) AS HUGEINT) - log_adjustment AS log_close,
    CASE WHEN total_match > 0 THEN CAST(round(ln(CAST(greatest(high, close) AS DOUBLE)) * 1e15) AS HUGEINT)
      - log_adjustment END AS log_high,
    CASE WHEN total_match > 0 THEN CAST(round(ln(CAST(least(CASE WHEN low > 0 THEN low END, close)
      AS DOUBLE)) * 1e15) AS HUGEINT) - log_adjustment END AS log_low
  FROM close_history
), range_before AS (
  SELECT symbol, trading_date, is_target, log_close, log_high, log_low,
    max(log_high) OVER weeks_before AS high_before, min(log_low) OVER weeks_before AS low_before,
    count(log_high) OVER weeks_before AS sessions_before
  FROM range_session
  WINDOW weeks_before AS (PARTITION BY symbol
    ORDER BY trading_date ROWS BETWEEN back_52w PRECEDING AND 1 PRECEDING)
), range_52w AS (
  SELECT symbol, trading_date,
    exp(CAST(log_close - greatest(log_high, high_before) AS DOUBLE) / 1e15) - 1 AS from_high_52w,
    exp(CAST(log_close - least(log_low, low_before) AS DOUBLE) / 1e15) - 1 AS from_low_52w,
    -- above by more than a billionth
    log_high - high_before > 1000000 AS is_new_high_52w,
    log_low - low_before < -1000000 AS is_new_low_52w,
    sessions_before + CASE WHEN log_high IS NULL THEN 0 ELSE 1 END AS sessions_52w
  FROM range_before
  WHERE is_target
), index_level AS (
  SELECT mart.plain_index_code(index_code) AS index_code, trading_date,
    CAST(max(index_value) AS DOUBLE) AS index_value
  FROM market.index_summary
  WHERE mart.plain_index_code(index_code) IN ('VNINDEX', 'VN30') AND index_value > 0
    AND trading_date BETWEEN getvariable('refresh_first') - 440 AND getvariable('refresh_last')
    AND trading_date NOT IN (
      SELECT trading_date FROM withheld_session WHERE relation = 'market.index_summary')
  GROUP BY ALL
), return_pair AS (
  SELECT history.symbol, index_level.index_code, history.trading_date, history.is_target,
    history.step_return AS symbol_return,
    index_level.index_value / before.index_value - 1 AS index_return,
    -- a change above ten thousand times is a misplaced unit, and its square would not fit
    symbol_return < 1e4 AND index_return < 1e4
      AND history.trading_date - history.date_before <= 45 AS is_pair,
    CASE WHEN is_pair THEN CAST(round(symbol_return * 1e12) AS HUGEINT) END AS x,
    CASE WHEN is_pair THEN CAST(round(index_return * 1e12) AS HUGEINT) END AS y
  FROM close_history history
  JOIN index_level ON index_level.trading_date = history.trading_date
  LEFT JOIN index_level before
    ON before.trading_date = history.date_before AND before.index_code = index_level.index_code
), pair_session AS (
  SELECT *, count(*) OVER (PARTITION BY symbol, index_code ORDER BY trading_date
    RANGE BETWEEN INTERVAL 395 DAY PRECEDING AND CURRENT ROW) AS sessions
  FROM return_pair
), pair_frame AS (
  SELECT *, CASE WHEN is_target THEN least(120, sessions) ELSE 0 END - 1 AS back_120,
    CASE WHEN is_target THEN least(250, sessions) ELSE 0 END - 1 AS back_250
  FROM pair_session
), pair_sum AS (
  SELECT symbol, index_code, trading_date, is_target,
    count(x) OVER last_120 AS n_120, sum(x) OVER last_120 AS x_120, sum(y) OVER last_120 AS y_120,
    sum(x * x) OVER last_120 AS xx_120, sum(x * y) OVER last_120 AS xy_120,
    sum(y * y) OVER last_120 AS yy_120,
    count(x) OVER last_250 AS n_250, sum(x) OVER last_250 AS x_250, sum(y) OVER last_250 AS y_250,
    sum(x * x) OVER last_250 AS xx_250, sum(x * y) OVER last_250 AS xy_250, sum(y * y) OVER last_250 AS yy_250
  FROM pair_frame
  WINDOW last_120 AS (PARTITION BY symbol, index_code
      ORDER BY trading_date ROWS BETWEEN back_120 PRECEDING AND CURRENT ROW),
    last_250 AS (PARTITION BY symbol, index_code
      ORDER BY trading_date ROWS BETWEEN back_250 PRECEDING AND CURRENT ROW)
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
  WHERE is_target
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
  CASE WHEN flow.net_value > 0
      THEN flow.session - coalesce(flow.last_not_buying, flow.session - flow.sessions)
    WHEN flow.net_value < 0
      THEN coalesce(flow.last_not_selling, flow.session - flow.sessions) - flow.session
    WHEN flow.net_value = 0 THEN 0 END AS foreign_streak,
  CASE WHEN hit.close >= hit.ceiling
      THEN hit.session - coalesce(hit.last_below, hit.session - hit.sessions)
    WHEN hit.close <= hit.floor THEN coalesce(hit.last_above, hit.session - hit.sessions) - hit.session
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
LEFT JOIN (FROM liquidity_window WHERE is_target) liquidity
  ON liquidity.symbol = session.symbol AND liquidity.trading_date = session.trading_date
LEFT JOIN (FROM foreign_window WHERE is_target) flow
  ON flow.symbol = session.symbol AND flow.trading_date = session.trading_date
LEFT JOIN (FROM limit_window WHERE is_target) hit
  ON hit.symbol = session.symbol AND hit.trading_date = session.trading_date
LEFT JOIN (FROM index_beta WHERE index_code = 'VNINDEX') vnindex
  ON vnindex.symbol = session.symbol AND vnindex.trading_date = session.trading_date
LEFT JOIN (FROM index_beta WHERE index_code = 'VN30') vn30
  ON vn30.symbol = session.symbol AND vn30.trading_date = session.trading_date
