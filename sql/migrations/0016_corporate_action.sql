-- A second source of corporate actions beside the reference price: what a user's file declares.
-- grain: one row per symbol, ex_date, kind
CREATE TABLE market.corporate_action (
  symbol       VARCHAR,
  ex_date      DATE,
  kind         VARCHAR,
  ratio        DOUBLE,
  amount       DECIMAL(18,6),
  price        DECIMAL(18,6),
  is_withdrawn BOOLEAN,
  request_id   VARCHAR,
  loaded_at    TIMESTAMPTZ
);

COMMENT ON TABLE market.corporate_action IS 'One row per symbol, ex_date and kind: corporate actions as the user''s files declare them (import corporate_actions). mart.adjustment_event compares them with reference prices.';
COMMENT ON COLUMN market.corporate_action.symbol IS 'Symbol as the exchange writes it; case is kept.';
COMMENT ON COLUMN market.corporate_action.ex_date IS 'First session without the right or dividend.';
COMMENT ON COLUMN market.corporate_action.kind IS 'cash_dividend, stock_dividend, bonus, rights, split or consolidation.';
COMMENT ON COLUMN market.corporate_action.ratio IS 'stock_dividend, bonus, rights: new shares per share held (0.1 for 10 %). split, consolidation: shares after per share before (2 for two from one, 0.1 for one from ten). Null for cash_dividend.';
COMMENT ON COLUMN market.corporate_action.amount IS 'cash_dividend: VND per share; null for the other kinds.';
COMMENT ON COLUMN market.corporate_action.price IS 'rights: price of a new share, VND; null for the other kinds.';
COMMENT ON COLUMN market.corporate_action.is_withdrawn IS 'Whether a later file withdrew it: it then counts nowhere.';
COMMENT ON COLUMN market.corporate_action.request_id IS 'Page that brought this value: ops.request.request_id.';
COMMENT ON COLUMN market.corporate_action.loaded_at IS 'When this value first arrived: receipt of its page.';

ALTER TABLE mart.adjustment_event ADD COLUMN state VARCHAR;
ALTER TABLE mart.adjustment_event ADD COLUMN kinds VARCHAR;
ALTER TABLE mart.adjustment_event ADD COLUMN observed_factor DOUBLE;
ALTER TABLE mart.adjustment_event ADD COLUMN declared_factor DOUBLE;
ALTER TABLE mart.adjustment_event ADD COLUMN share_factor DOUBLE;
ALTER TABLE mart.adjustment_event ADD COLUMN remark VARCHAR;

COMMENT ON TABLE mart.adjustment_event IS 'One row per symbol and ex-date of a corporate action: the reference price breaks by more than the noise of its day, or a file declares it (market.corporate_action), or both. Days on which the source is at fault give no events of their own (mart.reference_glitch).';
COMMENT ON COLUMN mart.adjustment_event.basis_date IS 'Session that the basis is of: the one before, or the last one with trades. Null where no reference price could be compared.';
COMMENT ON COLUMN mart.adjustment_event.previous_basis IS 'What the reference price would have been: VND, or index points for futures. See basis_kind. Null as basis_date.';
COMMENT ON COLUMN mart.adjustment_event.ref_price IS 'Reference price of ex_date, VND, or index points for futures. Null as basis_date.';
COMMENT ON COLUMN mart.adjustment_event.factor IS 'What adjusts: prices before ex_date times this compare with those after it. observed_factor where the reference price breaks; declared_factor where it cannot show the action; 1 where the two contradict and the reference does not fall.';
COMMENT ON COLUMN mart.adjustment_event.basis_kind IS 'close (HOSE, HNX), average (UPCOM, rounded to 100 VND) or settlement (futures) of basis_date. Null as basis_date.';
COMMENT ON COLUMN mart.adjustment_event.state IS 'confirmed: the reference price breaks as declared. observed: it breaks, and nothing is declared. declared: it does not break. contradicted: it breaks otherwise than declared, or on another day.';
COMMENT ON COLUMN mart.adjustment_event.kinds IS 'Declared kinds, with commas between them; null where nothing is declared.';
COMMENT ON COLUMN mart.adjustment_event.observed_factor IS 'ref_price / previous_basis; null as basis_date.';
COMMENT ON COLUMN mart.adjustment_event.declared_factor IS 'Factor that the declarations give with the basis (without one, with the latest close); null where nothing is declared or there is no price to compute it from.';
COMMENT ON COLUMN mart.adjustment_event.share_factor IS 'Part of factor that is from shares (stock dividend, bonus, rights, split, consolidation), without cash dividends; null where nothing is declared.';
COMMENT ON COLUMN mart.adjustment_event.remark IS 'Why it is declared or contradicted; null for confirmed and observed.';

-- grain: one row per symbol, trading_date
CREATE TABLE mart.chain_gap (
  symbol       VARCHAR,
  trading_date DATE,
  reason       VARCHAR
);

COMMENT ON TABLE mart.chain_gap IS 'One row per symbol and session whose adjustment to the session before is not known: adjusted prices before it rest on a guess. The first session stored of a symbol is one.';
COMMENT ON COLUMN mart.chain_gap.symbol IS 'Symbol.';
COMMENT ON COLUMN mart.chain_gap.trading_date IS 'Session.';
COMMENT ON COLUMN mart.chain_gap.reason IS 'not_compared: no basis, or no price limit. market_wide: the references of the day are at fault. rise: the reference rises by more than the noise, and nothing confirms it. beyond_limit: the reference repeats its basis, but the close lies beyond the limits around it. contradicted: see mart.adjustment_event. not_shown: declared, but the reference repeats its basis.';
