-- What security lists say anew every day, kept by session: market.security has it as last seen only. A warehouse of before
-- has the lists of its past in raw/ alone: this fills from the next night on, and `candlehouse replay` fills it from there.
CREATE TABLE market.security_daily (
  symbol           VARCHAR,
  trading_date     DATE,
  i_index          DECIMAL(18,6),
  i_nav            DECIMAL(18,6),
  open_interest    BIGINT,
  settlement_price DECIMAL(18,6),
  request_id       VARCHAR,
  loaded_at        TIMESTAMPTZ
);

COMMENT ON TABLE market.security_daily IS 'One row per symbol and trading_date: the figures of the security list of that session that move daily, where it told any. The lists say what is so now: only sessions whose own night asked for them are here, none is ever filled by a backfill. Where loaded_at lies in the next session, they are figures of then.';
COMMENT ON COLUMN market.security_daily.symbol IS 'Symbol as the exchange writes it; case is kept.';
COMMENT ON COLUMN market.security_daily.trading_date IS 'Trading date that the list was asked for, after its close; exchange calendar (UTC+7).';
COMMENT ON COLUMN market.security_daily.i_index IS 'Indicative index value of an ETF, VND a unit (some deployments: points of its index); null for others.';
COMMENT ON COLUMN market.security_daily.i_nav IS 'Indicative net asset value of an ETF, VND a unit; null for others.';
COMMENT ON COLUMN market.security_daily.open_interest IS 'Open interest of a future, contracts; null for others.';
COMMENT ON COLUMN market.security_daily.settlement_price IS 'Settlement price of a future, index points; null for others.';
COMMENT ON COLUMN market.security_daily.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.security_daily.loaded_at IS 'When this value first arrived: receipt of its page.';
