-- What analysts read as tables: computed when it is published, for the sessions that changed (sql/mart/stored).
DROP VIEW IF EXISTS mart.adjustment_event;

-- grain: one row per symbol, ex_date
CREATE TABLE mart.adjustment_event (
  symbol         VARCHAR,
  ex_date        DATE,
  basis_date     DATE,
  previous_basis DECIMAL(18,6),
  ref_price      DECIMAL(18,6),
  factor         DOUBLE,
  basis_kind     VARCHAR
);

COMMENT ON TABLE mart.adjustment_event IS 'One row per symbol and ex-date: the reference price differs from its basis, which shows a corporate action. Days on which many symbols differ at once are left out (mart.reference_glitch).';
COMMENT ON COLUMN mart.adjustment_event.symbol IS 'Symbol.';
COMMENT ON COLUMN mart.adjustment_event.ex_date IS 'First session at the new reference price.';
COMMENT ON COLUMN mart.adjustment_event.basis_date IS 'Session that the basis is of: the one before, or the last one with trades.';
COMMENT ON COLUMN mart.adjustment_event.previous_basis IS 'What the reference price would have been: VND, or index points for futures. See basis_kind.';
COMMENT ON COLUMN mart.adjustment_event.ref_price IS 'Reference price of ex_date, VND, or index points for futures.';
COMMENT ON COLUMN mart.adjustment_event.factor IS 'ref_price / previous_basis: prices before ex_date times this compare with those after it.';
COMMENT ON COLUMN mart.adjustment_event.basis_kind IS 'close (HOSE, HNX), average (UPCOM, rounded to 100 VND) or settlement (futures) of basis_date.';

-- grain: one row per trading_date
CREATE TABLE mart.reference_glitch (
  trading_date DATE,
  differing    BIGINT,
  compared     BIGINT
);

COMMENT ON TABLE mart.reference_glitch IS 'One row per session on which the reference prices of many symbols differ from their basis at once: a fault of the source, which gives no adjustment events. Rule 5 reports it.';
COMMENT ON COLUMN mart.reference_glitch.trading_date IS 'Session.';
COMMENT ON COLUMN mart.reference_glitch.differing IS 'Symbols whose reference price differs from its basis.';
COMMENT ON COLUMN mart.reference_glitch.compared IS 'Symbols whose reference price could be compared.';

-- grain: one row per symbol, trading_date
CREATE TABLE mart.intraday (
  symbol            VARCHAR,
  trading_date      DATE,
  board             VARCHAR,
  bars              BIGINT,
  first_bar_at      TIMESTAMPTZ,
  last_bar_at       TIMESTAMPTZ,
  volume            BIGINT,
  value             DECIMAL(24,4),
  ato_volume        BIGINT,
  atc_volume        BIGINT,
  morning_volume    BIGINT,
  afternoon_volume  BIGINT,
  realised_variance DOUBLE
);

COMMENT ON TABLE mart.intraday IS 'One row per symbol and session that has 1m bars: what they say of the session.';
COMMENT ON COLUMN mart.intraday.symbol IS 'Symbol.';
COMMENT ON COLUMN mart.intraday.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN mart.intraday.board IS 'Whose hours it traded by: its board of that day (HOSE, HNX, UPCOM), DERIVATIVE for futures; null where no price limits were told.';
COMMENT ON COLUMN mart.intraday.bars IS '1m bars of the session; minutes without a trade have none.';
COMMENT ON COLUMN mart.intraday.first_bar_at IS 'Start of the first bar.';
COMMENT ON COLUMN mart.intraday.last_bar_at IS 'Start of the last bar.';
COMMENT ON COLUMN mart.intraday.volume IS 'Volume of all bars, shares or contracts.';
COMMENT ON COLUMN mart.intraday.value IS 'Value of all bars, VND.';
COMMENT ON COLUMN mart.intraday.ato_volume IS 'Volume of the bar that holds the opening auction, with the trades of its first minute; null where the board has none, or no such bar.';
COMMENT ON COLUMN mart.intraday.atc_volume IS 'Volume of the closing auction; null where the board has none, or nothing matched in it.';
COMMENT ON COLUMN mart.intraday.morning_volume IS 'Volume of continuous trading before lunch, the opening auction''s minute included; null where there was none.';
COMMENT ON COLUMN mart.intraday.afternoon_volume IS 'Volume of continuous trading after lunch, without the closing auction; null where there was none.';
COMMENT ON COLUMN mart.intraday.realised_variance IS 'Sum of squared log returns from bar to bar, the first from its own open; lunch counts as one step, the night not at all.';
