-- grain: one row per security record of the pages being loaded; reason is null if it is valid
-- reads: page_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    nullif(r.symbol, '') AS symbol,
    nullif(r.symbolNameVi, '') AS symbol_name_vi,
    nullif(r.symbolNameEn, '') AS symbol_name_en,
    nullif(r.board, '') AS board,
    parse_quantity(r.lotSize) AS lot_size,
    parse_day(r.maturityDate) AS maturity_date,
    parse_day(r.firstTradingDate) AS first_trading_date,
    parse_day(r.lastTradingDate) AS last_trading_date,
    nullif(r.cwUnderlyingSymbol, '') AS cw_underlying_symbol,
    parse_price(r.cwExercisePrice) AS cw_exercise_price,
    nullif(r.cwExecutionRatio, '') AS cw_execution_ratio,
    parse_quantity(r.listedShare) AS listed_share,
    nullif(r.icbCode, '') AS icb_code,
    nullif(r.icbName, '') AS icb_name,
    parse_price(r.iIndex) AS i_index,
    parse_price(r.iNav) AS i_nav,
    parse_quantity(r.openInterest) AS open_interest,
    parse_price(r.settlementPrice) AS settlement_price
  FROM page_record
)
SELECT
  request_id, ordinal, received_at, symbol, symbol_name_vi, symbol_name_en, board, lot_size, maturity_date,
  first_trading_date, last_trading_date, cw_underlying_symbol, cw_exercise_price, cw_execution_ratio,
  listed_share, icb_code, icb_name, i_index, i_nav, open_interest, settlement_price,
  nullif(concat_ws('; ',
    missing('symbol', symbol),
    unread('lotSize', r.lotSize, lot_size, 'a whole number'),
    unread('maturityDate', r.maturityDate, maturity_date, 'a date'),
    unread('firstTradingDate', r.firstTradingDate, first_trading_date, 'a date'),
    unread('lastTradingDate', r.lastTradingDate, last_trading_date, 'a date'),
    unread('cwExercisePrice', r.cwExercisePrice, cw_exercise_price, 'a plain number with at most 6 decimals'),
    unread('listedShare', r.listedShare, listed_share, 'a whole number'),
    unread('iIndex', r.iIndex, i_index, 'a plain number with at most 6 decimals'),
    unread('iNav', r.iNav, i_nav, 'a plain number with at most 6 decimals'),
    unread('openInterest', r.openInterest, open_interest, 'a whole number'),
    unread('settlementPrice', r.settlementPrice, settlement_price, 'a plain number with at most 6 decimals')
  ), '') AS reason
FROM typed;
