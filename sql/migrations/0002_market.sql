-- The market: facts as the API gives them, and what changed. No primary keys: keys are unique, checked, not
-- indexed (an upsert on a primary key took 5.8 to 7.8 s where compare-and-replace took 1.2 to 1.9 s).
CREATE SCHEMA market;

-- grain: one row per symbol
CREATE TABLE market.security (
  symbol               VARCHAR,
  symbol_name_vi       VARCHAR,
  symbol_name_en       VARCHAR,
  board                VARCHAR,
  lot_size             BIGINT,
  maturity_date        DATE,
  first_trading_date   DATE,
  last_trading_date    DATE,
  cw_underlying_symbol VARCHAR,
  cw_exercise_price    DECIMAL(18,6),
  cw_execution_ratio   VARCHAR,
  listed_share         BIGINT,
  icb_code             VARCHAR,
  icb_name             VARCHAR,
  i_index              DECIMAL(18,6),
  i_nav                DECIMAL(18,6),
  open_interest        BIGINT,
  settlement_price     DECIMAL(18,6),
  first_seen           DATE,
  last_seen            DATE,
  is_listed            BOOLEAN,
  request_id           VARCHAR,
  loaded_at            TIMESTAMPTZ
);

COMMENT ON TABLE market.security IS 'One row per symbol, as last known.';
COMMENT ON COLUMN market.security.symbol IS 'Symbol as the exchange writes it; case is kept.';
COMMENT ON COLUMN market.security.symbol_name_vi IS 'Name in Vietnamese.';
COMMENT ON COLUMN market.security.symbol_name_en IS 'Name in English.';
COMMENT ON COLUMN market.security.board IS 'Board: HOSE, HNX or UPCOM. Changes when a symbol moves.';
COMMENT ON COLUMN market.security.lot_size IS 'Round lot, in shares or contracts.';
COMMENT ON COLUMN market.security.maturity_date IS 'Maturity of a covered warrant, bond or future; null otherwise.';
COMMENT ON COLUMN market.security.first_trading_date IS 'First trading date.';
COMMENT ON COLUMN market.security.last_trading_date IS 'Last trading date of a covered warrant or future; null otherwise.';
COMMENT ON COLUMN market.security.cw_underlying_symbol IS 'Underlying symbol of a covered warrant; null otherwise.';
COMMENT ON COLUMN market.security.cw_exercise_price IS 'Exercise price of a covered warrant, VND.';
COMMENT ON COLUMN market.security.cw_execution_ratio IS 'Exercise ratio of a covered warrant as text, k:1 = k warrants for one share.';
COMMENT ON COLUMN market.security.listed_share IS 'Listed shares or units.';
COMMENT ON COLUMN market.security.icb_code IS 'Industry code (ICB).';
COMMENT ON COLUMN market.security.icb_name IS 'Industry name (ICB).';
COMMENT ON COLUMN market.security.i_index IS 'Indicative index value of an ETF, VND a unit.';
COMMENT ON COLUMN market.security.i_nav IS 'Indicative net asset value of an ETF, VND a unit.';
COMMENT ON COLUMN market.security.open_interest IS 'Open interest of a future, contracts; null for stocks.';
COMMENT ON COLUMN market.security.settlement_price IS 'Settlement price of a future, index points; null for stocks.';
COMMENT ON COLUMN market.security.first_seen IS 'First trading date on which a security list named it.';
COMMENT ON COLUMN market.security.last_seen IS 'Last trading date on which a security list named it.';
COMMENT ON COLUMN market.security.is_listed IS 'Whether the latest complete security lists name it.';
COMMENT ON COLUMN market.security.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.security.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per symbol, valid_from
CREATE TABLE market.security_history (
  symbol               VARCHAR,
  symbol_name_vi       VARCHAR,
  symbol_name_en       VARCHAR,
  board                VARCHAR,
  lot_size             BIGINT,
  maturity_date        DATE,
  first_trading_date   DATE,
  last_trading_date    DATE,
  cw_underlying_symbol VARCHAR,
  cw_exercise_price    DECIMAL(18,6),
  cw_execution_ratio   VARCHAR,
  listed_share         BIGINT,
  icb_code             VARCHAR,
  icb_name             VARCHAR,
  i_index              DECIMAL(18,6),
  i_nav                DECIMAL(18,6),
  open_interest        BIGINT,
  settlement_price     DECIMAL(18,6),
  valid_from           DATE,
  valid_to             DATE,
  request_id           VARCHAR,
  loaded_at            TIMESTAMPTZ
);

COMMENT ON TABLE market.security_history IS 'One row per symbol and validity: what the security lists said, when. A new row when a descriptive attribute changes; i_index, i_nav, open_interest and settlement_price move daily and are kept as last seen within the row.';
COMMENT ON COLUMN market.security_history.symbol IS 'Symbol as the exchange writes it; case is kept.';
COMMENT ON COLUMN market.security_history.symbol_name_vi IS 'Name in Vietnamese.';
COMMENT ON COLUMN market.security_history.symbol_name_en IS 'Name in English.';
COMMENT ON COLUMN market.security_history.board IS 'Board: HOSE, HNX or UPCOM. Changes when a symbol moves.';
COMMENT ON COLUMN market.security_history.lot_size IS 'Round lot, in shares or contracts.';
COMMENT ON COLUMN market.security_history.maturity_date IS 'Maturity of a covered warrant, bond or future; null otherwise.';
COMMENT ON COLUMN market.security_history.first_trading_date IS 'First trading date.';
COMMENT ON COLUMN market.security_history.last_trading_date IS 'Last trading date of a covered warrant or future; null otherwise.';
COMMENT ON COLUMN market.security_history.cw_underlying_symbol IS 'Underlying symbol of a covered warrant; null otherwise.';
COMMENT ON COLUMN market.security_history.cw_exercise_price IS 'Exercise price of a covered warrant, VND.';
COMMENT ON COLUMN market.security_history.cw_execution_ratio IS 'Exercise ratio of a covered warrant as text, k:1 = k warrants for one share.';
COMMENT ON COLUMN market.security_history.listed_share IS 'Listed shares or units.';
COMMENT ON COLUMN market.security_history.icb_code IS 'Industry code (ICB).';
COMMENT ON COLUMN market.security_history.icb_name IS 'Industry name (ICB).';
COMMENT ON COLUMN market.security_history.i_index IS 'Indicative index value of an ETF, VND a unit.';
COMMENT ON COLUMN market.security_history.i_nav IS 'Indicative net asset value of an ETF, VND a unit.';
COMMENT ON COLUMN market.security_history.open_interest IS 'Open interest of a future, contracts; null for stocks.';
COMMENT ON COLUMN market.security_history.settlement_price IS 'Settlement price of a future, index points; null for stocks.';
COMMENT ON COLUMN market.security_history.valid_from IS 'First trading date on which this was seen.';
COMMENT ON COLUMN market.security_history.valid_to IS 'First trading date on which it was no longer so; null while it holds.';
COMMENT ON COLUMN market.security_history.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.security_history.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per index_code
CREATE TABLE market.market_index (
  index_code VARCHAR,
  index_name VARCHAR,
  board      VARCHAR,
  request_id VARCHAR,
  loaded_at  TIMESTAMPTZ
);

COMMENT ON TABLE market.market_index IS 'One row per index.';
COMMENT ON COLUMN market.market_index.index_code IS 'Index, as the index list spells it.';
COMMENT ON COLUMN market.market_index.index_name IS 'Name.';
COMMENT ON COLUMN market.market_index.board IS 'Board: HOSE, HNX or UPCOM.';
COMMENT ON COLUMN market.market_index.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.market_index.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per index_code, symbol, valid_from
CREATE TABLE market.index_member (
  index_code VARCHAR,
  symbol     VARCHAR,
  valid_from DATE,
  valid_to   DATE,
  request_id VARCHAR,
  loaded_at  TIMESTAMPTZ
);

COMMENT ON TABLE market.index_member IS 'One row per index, symbol and validity: membership over time.';
COMMENT ON COLUMN market.index_member.index_code IS 'Index.';
COMMENT ON COLUMN market.index_member.symbol IS 'Member.';
COMMENT ON COLUMN market.index_member.valid_from IS 'First trading date on which this was seen.';
COMMENT ON COLUMN market.index_member.valid_to IS 'First trading date on which it was no longer so; null while it holds.';
COMMENT ON COLUMN market.index_member.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.index_member.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per symbol, trading_date
CREATE TABLE market.daily_summary (
  symbol                   VARCHAR,
  trading_date             DATE,
  price_change             DECIMAL(18,6),
  price_change_percentage  DOUBLE,
  open                     DECIMAL(18,6),
  high                     DECIMAL(18,6),
  low                      DECIMAL(18,6),
  close                    DECIMAL(18,6),
  average                  DECIMAL(18,6),
  total_match              BIGINT,
  total_match_value        DECIMAL(24,4),
  total_buy                BIGINT,
  total_trade_buy          BIGINT,
  total_sell               BIGINT,
  total_trade_sell         BIGINT,
  total_foreign_buy        BIGINT,
  total_foreign_buy_value  DECIMAL(24,4),
  total_foreign_sell       BIGINT,
  total_foreign_sell_value DECIMAL(24,4),
  remain_foreign_room      BIGINT,
  total_foreign_room       BIGINT,
  total_deal               BIGINT,
  total_deal_value         DECIMAL(24,4),
  open_interest            BIGINT,
  settlement_price         DECIMAL(18,6),
  request_id               VARCHAR,
  loaded_at                TIMESTAMPTZ
);

COMMENT ON TABLE market.daily_summary IS 'One row per symbol and trading_date: the session in numbers, unadjusted.';
COMMENT ON COLUMN market.daily_summary.symbol IS 'Symbol.';
COMMENT ON COLUMN market.daily_summary.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN market.daily_summary.price_change IS 'close - reference price, VND (futures: index points).';
COMMENT ON COLUMN market.daily_summary.price_change_percentage IS 'price_change / reference price, percent.';
COMMENT ON COLUMN market.daily_summary.open IS 'First price matched, VND (futures: index points), unadjusted.';
COMMENT ON COLUMN market.daily_summary.high IS 'Highest price matched, unadjusted.';
COMMENT ON COLUMN market.daily_summary.low IS 'Lowest price matched, unadjusted.';
COMMENT ON COLUMN market.daily_summary.close IS 'Last price matched, unadjusted.';
COMMENT ON COLUMN market.daily_summary.average IS 'Volume-weighted average price, VND (futures: index points).';
COMMENT ON COLUMN market.daily_summary.total_match IS 'Matched volume, shares or contracts; put-through excluded.';
COMMENT ON COLUMN market.daily_summary.total_match_value IS 'Matched value, VND (futures: average x volume x 100,000).';
COMMENT ON COLUMN market.daily_summary.total_buy IS 'Buy orders: one of total_buy and total_trade_buy is a count, the other a volume; deployments differ.';
COMMENT ON COLUMN market.daily_summary.total_trade_buy IS 'See total_buy.';
COMMENT ON COLUMN market.daily_summary.total_sell IS 'Sell orders: as total_buy.';
COMMENT ON COLUMN market.daily_summary.total_trade_sell IS 'See total_sell.';
COMMENT ON COLUMN market.daily_summary.total_foreign_buy IS 'Bought by foreign investors, shares.';
COMMENT ON COLUMN market.daily_summary.total_foreign_buy_value IS 'Bought by foreign investors, VND.';
COMMENT ON COLUMN market.daily_summary.total_foreign_sell IS 'Sold by foreign investors, shares.';
COMMENT ON COLUMN market.daily_summary.total_foreign_sell_value IS 'Sold by foreign investors, VND.';
COMMENT ON COLUMN market.daily_summary.remain_foreign_room IS 'Shares foreigners may still buy; negative = over the limit.';
COMMENT ON COLUMN market.daily_summary.total_foreign_room IS 'Shares foreigners may hold in all.';
COMMENT ON COLUMN market.daily_summary.total_deal IS 'Put-through (negotiated) volume, shares.';
COMMENT ON COLUMN market.daily_summary.total_deal_value IS 'Put-through value, VND.';
COMMENT ON COLUMN market.daily_summary.open_interest IS 'Open interest of a future, contracts; null for stocks.';
COMMENT ON COLUMN market.daily_summary.settlement_price IS 'Settlement price of a future, index points; null for stocks.';
COMMENT ON COLUMN market.daily_summary.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.daily_summary.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per index_code, trading_date
CREATE TABLE market.index_summary (
  index_code              VARCHAR,
  trading_date            DATE,
  total_trade             BIGINT,
  total_trade_value       DECIMAL(24,4),
  total_match             BIGINT,
  total_match_value       DECIMAL(24,4),
  total_deal              BIGINT,
  total_deal_value        DECIMAL(24,4),
  index_change            DECIMAL(18,6),
  index_change_percentage DOUBLE,
  index_value             DECIMAL(18,6),
  total_advance_stock     BIGINT,
  total_ceiling_stock     BIGINT,
  total_decline_stock     BIGINT,
  total_floor_stock       BIGINT,
  total_no_change_stock   BIGINT,
  total_prop_buy          BIGINT,
  total_prop_buy_value    DECIMAL(24,4),
  total_prop_sell         BIGINT,
  total_prop_sell_value   DECIMAL(24,4),
  request_id              VARCHAR,
  loaded_at               TIMESTAMPTZ
);

COMMENT ON TABLE market.index_summary IS 'One row per index and trading_date.';
COMMENT ON COLUMN market.index_summary.index_code IS 'Index that was asked for, as the index list spells it.';
COMMENT ON COLUMN market.index_summary.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN market.index_summary.total_trade IS 'Traded volume, matched and put-through (or a count: deployments differ).';
COMMENT ON COLUMN market.index_summary.total_trade_value IS 'Traded value, VND.';
COMMENT ON COLUMN market.index_summary.total_match IS 'Matched volume, shares.';
COMMENT ON COLUMN market.index_summary.total_match_value IS 'Matched value, VND.';
COMMENT ON COLUMN market.index_summary.total_deal IS 'Put-through volume, shares.';
COMMENT ON COLUMN market.index_summary.total_deal_value IS 'Put-through value, VND.';
COMMENT ON COLUMN market.index_summary.index_change IS 'index_value - previous index_value, points.';
COMMENT ON COLUMN market.index_summary.index_change_percentage IS 'index_change / previous index_value, percent.';
COMMENT ON COLUMN market.index_summary.index_value IS 'Index at the close, points.';
COMMENT ON COLUMN market.index_summary.total_advance_stock IS 'Stocks that closed above reference.';
COMMENT ON COLUMN market.index_summary.total_ceiling_stock IS 'Stocks that closed at the ceiling; part of total_advance_stock.';
COMMENT ON COLUMN market.index_summary.total_decline_stock IS 'Stocks that closed below reference.';
COMMENT ON COLUMN market.index_summary.total_floor_stock IS 'Stocks that closed at the floor; part of total_decline_stock.';
COMMENT ON COLUMN market.index_summary.total_no_change_stock IS 'Stocks that closed at reference.';
COMMENT ON COLUMN market.index_summary.total_prop_buy IS 'Bought by proprietary desks, shares.';
COMMENT ON COLUMN market.index_summary.total_prop_buy_value IS 'Bought by proprietary desks, VND.';
COMMENT ON COLUMN market.index_summary.total_prop_sell IS 'Sold by proprietary desks, shares.';
COMMENT ON COLUMN market.index_summary.total_prop_sell_value IS 'Sold by proprietary desks, VND.';
COMMENT ON COLUMN market.index_summary.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.index_summary.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per symbol, trading_date
CREATE TABLE market.price_limit (
  symbol       VARCHAR,
  exchange     VARCHAR,
  trading_date DATE,
  ceiling      DECIMAL(18,6),
  floor        DECIMAL(18,6),
  ref_price    DECIMAL(18,6),
  request_id   VARCHAR,
  loaded_at    TIMESTAMPTZ
);

COMMENT ON TABLE market.price_limit IS 'One row per symbol and trading_date: ceiling, floor and reference price.';
COMMENT ON COLUMN market.price_limit.symbol IS 'Symbol.';
COMMENT ON COLUMN market.price_limit.exchange IS 'Board on that day (live deployments call the field board).';
COMMENT ON COLUMN market.price_limit.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN market.price_limit.ceiling IS 'Highest price allowed, VND (futures: index points).';
COMMENT ON COLUMN market.price_limit.floor IS 'Lowest price allowed.';
COMMENT ON COLUMN market.price_limit.ref_price IS 'Reference price; already ex-rights on an ex-date.';
COMMENT ON COLUMN market.price_limit.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.price_limit.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per symbol, timeframe, opened_at
CREATE TABLE market.candle (
  symbol       VARCHAR,
  timeframe    VARCHAR,
  opened_at    TIMESTAMPTZ,
  trading_date DATE,
  open         DECIMAL(18,6),
  high         DECIMAL(18,6),
  low          DECIMAL(18,6),
  close        DECIMAL(18,6),
  volume       BIGINT,
  value        DECIMAL(18,2),
  is_derived   BOOLEAN,
  request_id   VARCHAR,
  loaded_at    TIMESTAMPTZ
);

COMMENT ON TABLE market.candle IS 'One row per symbol, timeframe and opened_at: OHLCV bars, unadjusted.';
COMMENT ON COLUMN market.candle.symbol IS 'Symbol.';
COMMENT ON COLUMN market.candle.timeframe IS '1m, 3m, 5m, 15m, 30m, 1h or 1d.';
COMMENT ON COLUMN market.candle.opened_at IS 'Start of the bar; for 1d midnight in exchange time (UTC+7).';
COMMENT ON COLUMN market.candle.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN market.candle.open IS 'First price, VND (futures: index points), unadjusted.';
COMMENT ON COLUMN market.candle.high IS 'Highest price, unadjusted.';
COMMENT ON COLUMN market.candle.low IS 'Lowest price, unadjusted.';
COMMENT ON COLUMN market.candle.close IS 'Last price, unadjusted.';
COMMENT ON COLUMN market.candle.volume IS 'Volume, shares or contracts.';
COMMENT ON COLUMN market.candle.value IS 'Value, VND.';
COMMENT ON COLUMN market.candle.is_derived IS 'true when computed from 1m bars by clock bucket, false when the API sent it.';
COMMENT ON COLUMN market.candle.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.candle.loaded_at IS 'When this value first arrived: receipt of its page.';

-- grain: one row per relation, key, column, observed_at
CREATE TABLE market.revision (
  relation    VARCHAR,
  key         VARCHAR,
  "column"    VARCHAR,
  old         VARCHAR,
  new         VARCHAR,
  observed_at TIMESTAMPTZ,
  request_id  VARCHAR
);

COMMENT ON TABLE market.revision IS 'One row per changed value: what a relation said before.';
COMMENT ON COLUMN market.revision.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN market.revision.key IS 'Key of the row, a JSON object.';
COMMENT ON COLUMN market.revision."column" IS 'Column that changed; * = the row was withdrawn by the service, old holds it whole.';
COMMENT ON COLUMN market.revision.old IS 'Value before.';
COMMENT ON COLUMN market.revision.new IS 'Value after; null when withdrawn.';
COMMENT ON COLUMN market.revision.observed_at IS 'Receipt of the page that changed it.';
COMMENT ON COLUMN market.revision.request_id IS 'Page that changed it: ops.request.request_id.';
