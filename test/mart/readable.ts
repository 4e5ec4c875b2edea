/**
 * A statement that names everything in schema mart that gives rows, ready for FROM: tables, views, and table macros with
 * arguments that fit their parameters. What reads rows of its caller (`breaks`, `growth_rows`) is left out.
 *
 * @param date session that macros are asked about
 */
export function readable(date: string): string {
  return `SELECT 'mart.' || view_name AS name FROM duckdb_views() WHERE schema_name = 'mart'
    UNION ALL SELECT 'mart.' || table_name FROM duckdb_tables() WHERE schema_name = 'mart'
    UNION ALL SELECT 'mart.' || function_name || '(' || coalesce(array_to_string(list_transform(parameters, lambda parameter:
        CASE parameter WHEN 'instant' THEN '''${date} 20:00:00+07''' WHEN 'of_timeframe' THEN '''7m'''
          WHEN 'bar_timeframe' THEN '''1w''' WHEN 'bars' THEN '''market.candle''' WHEN 'of_period' THEN '''1w'''
          WHEN 'of_relation' THEN '''market.price_limit''' WHEN 'bands' THEN '''market.price_limit'''
          WHEN 'of_rate' THEN '0.04' WHEN 'of_roll' THEN '''volume''' WHEN 'of_adjustment' THEN '''difference'''
          WHEN 'fall' THEN '0.07' WHEN 'band_width' THEN '2' WHEN 'benchmark' THEN '''VN30''' WHEN 'days' THEN '''mart.account_return'''
          WHEN 'changes' THEN '''mart.position_change''' WHEN 'valued' THEN '''mart.position_value'''
          WHEN 'curve_rows' THEN '''mart.account_equity_curve''' WHEN 'cost_rows' THEN '''mart.account_cost'''
          WHEN 'price_events' THEN '''all''' WHEN 'volume_events' THEN '''share'''
          WHEN 'summaries' THEN '''market.daily_summary''' WHEN 'sma_length' THEN '3' WHEN 'ema_length' THEN '3'
          WHEN 'rsi_length' THEN '3' WHEN 'band_length' THEN '3' ELSE 'DATE ''${date}''' END), ', '), '') || ')'
      FROM duckdb_functions() WHERE schema_name = 'mart' AND function_type = 'table_macro' AND NOT list_has_any(parameters, ['breaks', 'growth_rows'])
    ORDER BY name`
}
