-- grain: one row per symbol and trading_date that has a daily summary
-- price_events, volume_events: 'all' (cash dividends and share events: total return) or 'share' (stock
-- dividends, bonus shares, rights, splits and consolidations alone). An event that nothing declares counts in
-- full either
-- way: only a declaration distinguishes a dividend from new shares (import corporate_actions), and
-- are_kinds_known is false before it.
CREATE OR REPLACE MACRO mart.daily_adjusted_by(price_events, volume_events) AS TABLE
WITH factored AS (
  SELECT summary.symbol, summary.trading_date,
    CASE price_events
      WHEN 'all' THEN coalesce(later.cumulative_factor, 1)
      WHEN 'share' THEN coalesce(later.cumulative_share_factor, 1)
      ELSE error('price_events is neither ''all'' nor ''share''')
    END AS price_factor,
    CASE volume_events
      WHEN 'all' THEN coalesce(later.cumulative_factor, 1)
      WHEN 'share' THEN coalesce(later.cumulative_share_factor, 1)
      ELSE error('volume_events is neither ''all'' nor ''share''')
    END AS volume_factor,
    summary.open, summary.high, summary.low, summary.close, summary.total_match,
    coalesce(later.are_kinds_known, true) AS are_kinds_known
  FROM market.daily_summary summary
  LEFT JOIN mart.adjustment_factor later ON later.symbol = summary.symbol
    AND summary.trading_date >= later.applies_from AND summary.trading_date < later.ex_date
)
SELECT factored.symbol, factored.trading_date, price_factor, volume_factor,
  CAST(open AS DOUBLE) * price_factor AS open_adjusted,
  CAST(high AS DOUBLE) * price_factor AS high_adjusted,
  CAST(low AS DOUBLE) * price_factor AS low_adjusted,
  CAST(close AS DOUBLE) * price_factor AS close_adjusted,
  total_match / volume_factor AS total_match_adjusted,
  open, high, low, close, total_match, are_kinds_known,
  coalesce(trading_date >= chain.chain_known_from, true) AS is_chain_known,
  chain.chain_known_from
FROM factored
LEFT JOIN mart.chain_known chain ON chain.symbol = factored.symbol;
COMMENT ON MACRO TABLE mart.daily_adjusted_by IS
  'Daily prices and volume, each adjusted by all events (''all'') or by share events only (''share''): '
  'daily_adjusted_by(''all'', ''share'').';
