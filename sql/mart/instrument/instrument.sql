-- grain: one row per symbol that was ever seen: in a security list, or only in its summaries and limits
--   (delisted before the lists were first read)
-- No field of the API shows what a symbol is: mart.instrument_kind derives it by rule.
CREATE OR REPLACE VIEW mart.instrument AS
WITH known_symbol AS (
  SELECT * FROM market.security
  UNION ALL BY NAME
  SELECT symbol, arg_max(exchange, trading_date) AS board, min(trading_date) AS first_seen,
    max(trading_date) AS last_seen,
    false AS is_listed
  FROM market.price_limit ANTI JOIN market.security USING (symbol)
  GROUP BY symbol
  UNION ALL BY NAME
  SELECT symbol, min(trading_date) AS first_seen, max(trading_date) AS last_seen, false AS is_listed
  FROM market.daily_summary ANTI JOIN market.security USING (symbol)
  WHERE symbol NOT IN (SELECT symbol FROM market.price_limit)
  GROUP BY symbol
), classified_symbol AS (
  SELECT *, mart.instrument_kind(symbol, cw_underlying_symbol) AS kind,
    mart.futures_contract(symbol) AS contract
  FROM known_symbol
)
SELECT symbol, kind, upper(board) AS board,
  mart.trading_board(symbol, board) AS trading_board,
  mart.multiplier(symbol) AS multiplier,
  lot_size,
  CASE kind
    WHEN 'covered_warrant' THEN cw_underlying_symbol
    WHEN 'future' THEN mart.futures_underlying(symbol)
  END AS underlying,
  contract,
  symbol_name_vi, symbol_name_en, icb_code, icb_name, listed_share,
  first_trading_date, last_trading_date, maturity_date, first_seen, last_seen, is_listed
FROM classified_symbol;
COMMENT ON VIEW mart.instrument IS
  'One row per symbol ever seen: what kind of instrument it is, where it trades, what it rests on.';
COMMENT ON COLUMN mart.instrument.kind IS
  'stock, etf (closed-end funds too), covered_warrant, future or spread: by rule, from its underlying or the '
  'form of its code.';
COMMENT ON COLUMN mart.instrument.board IS 'HOSE, HNX or UPCOM, as last known. Futures are listed under HNX.';
COMMENT ON COLUMN mart.instrument.trading_board IS
  'Whose hours, ticks and bands it trades by: its board, DERIVATIVE for futures and spreads.';
COMMENT ON COLUMN mart.instrument.multiplier IS
  'VND per unit of price and volume: that of its underlying for futures, 1 for others; null for spreads and '
  'unknown underlyings.';
COMMENT ON COLUMN mart.instrument.lot_size IS 'Round lot, shares or contracts.';
COMMENT ON COLUMN mart.instrument.underlying IS
  'Stock of a covered warrant, index of a future; null otherwise.';
COMMENT ON COLUMN mart.instrument.contract IS
  'Futures contract, one name for its old and new code (VN30F2504); null otherwise.';
COMMENT ON COLUMN mart.instrument.symbol_name_vi IS 'Name in Vietnamese.';
COMMENT ON COLUMN mart.instrument.symbol_name_en IS 'Name in English.';
COMMENT ON COLUMN mart.instrument.icb_name IS 'Industry name (ICB).';
COMMENT ON COLUMN mart.instrument.listed_share IS 'Listed shares or units, as last known.';
COMMENT ON COLUMN mart.instrument.first_trading_date IS
  'First trading date, as the security list has it; null where it does not.';
COMMENT ON COLUMN mart.instrument.last_trading_date IS
  'Last trading date of a covered warrant or future, as the security list has it; null otherwise.';
COMMENT ON COLUMN mart.instrument.maturity_date IS 'Maturity of a covered warrant or future; null otherwise.';
COMMENT ON COLUMN mart.instrument.first_seen IS
  'First session on which a security list named it, or with figures.';
COMMENT ON COLUMN mart.instrument.last_seen IS
  'Last session on which a security list named it, or with figures.';
COMMENT ON COLUMN mart.instrument.is_listed IS 'Whether the latest complete security lists name it.';
