-- grain: one row per symbol and ex_date on which its reference price differs from its basis: a corporate action, as the
-- price shows it. A day on which many symbols differ at once gives none (recon rule 5 tells of it).
CREATE OR REPLACE VIEW mart.adjustment_event AS
SELECT symbol, ex_date, previous_basis, ref_price, factor, basis_kind
FROM mart.adjustment_candidate(DATE '1900-01-01', DATE '9999-12-31')
WHERE differs AND NOT market_wide;
COMMENT ON VIEW mart.adjustment_event IS 'One row per symbol and ex-date: the reference price differs from its basis, which shows a corporate action. Days on which many symbols differ at once are left out.';
COMMENT ON COLUMN mart.adjustment_event.symbol IS 'Symbol.';
COMMENT ON COLUMN mart.adjustment_event.ex_date IS 'First session at the new reference price.';
COMMENT ON COLUMN mart.adjustment_event.previous_basis IS 'What the reference price would have been: VND, or index points for futures. See basis_kind.';
COMMENT ON COLUMN mart.adjustment_event.ref_price IS 'Reference price of ex_date, VND, or index points for futures.';
COMMENT ON COLUMN mart.adjustment_event.factor IS 'ref_price / previous_basis: prices before ex_date times this compare with those after it.';
COMMENT ON COLUMN mart.adjustment_event.basis_kind IS 'close (HOSE, HNX), average (UPCOM, rounded to 100 VND) or settlement (futures) of the session before.';
