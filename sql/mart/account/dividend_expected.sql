-- grain: one row per equity account, symbol and ex-date of a cash dividend for which the account held shares
-- Entitled are the shares at the close before the ex-date: the position of the latest complete snapshot
-- before it, and the fills since then up to the day before it. Where the ex-date is still to come, what is
-- held now.
-- source declared: import corporate_actions, amount x shares. balance: nothing is declared; the balance
-- reports that much more to come in the first snapshot from the ex-date on, and no other ex-date explains
-- it. reference price: nothing is declared, and the balance does not show it; what the reference price lost
-- x shares, to its tick. An ex-date that gave shares and that nothing declares has no row.
-- No source has pay dates. The balance has one sum of what is to come, without symbols: a dividend is paid
-- on the day on which this sum falls by its amount (before or after tax, 1 % and 10 VND), or falls by more,
-- which is the amount of no other, and has no room for it any more. Not paid six months after its ex-date it
-- is overdue: dividends are paid within six months of the meeting that decides them
-- (docs/market-facts.md#settlement-and-tax).
CREATE OR REPLACE VIEW mart.dividend_expected AS
FROM mart.dividend_expected_of('mart.position_change');
COMMENT ON VIEW mart.dividend_expected IS
  'One row per equity account, symbol and ex-date of a cash dividend: for how many shares, how much before '
  'and after tax, and whether it is paid.';
COMMENT ON COLUMN mart.dividend_expected.ex_date IS 'First session without the dividend.';
COMMENT ON COLUMN mart.dividend_expected.pay_date IS
  'Trading date of the first snapshot whose balance shows it paid; null while none does. No source states '
  'pay dates beforehand.';
COMMENT ON COLUMN mart.dividend_expected.entitled_on IS
  'Trading date of the snapshot that shares_entitled begins with: the latest complete one before ex_date.';
COMMENT ON COLUMN mart.dividend_expected.shares_entitled IS
  'Shares on the account at the close before ex_date; of an ex-date to come: now.';
COMMENT ON COLUMN mart.dividend_expected.gross_per_share IS 'gross over shares_entitled, VND.';
COMMENT ON COLUMN mart.dividend_expected.gross IS 'Dividend before tax, VND; source shows how it is known.';
COMMENT ON COLUMN mart.dividend_expected.tax IS
  'Income tax of persons, VND: gross x mart.dividend_tax of pay_date, else of ex_date.';
COMMENT ON COLUMN mart.dividend_expected.net IS 'gross less tax, VND.';
COMMENT ON COLUMN mart.dividend_expected.state IS
  'expected; paid; overdue (not paid six months after ex_date). As of the account''s latest complete '
  'snapshot.';
COMMENT ON COLUMN mart.dividend_expected.source IS
  'declared (market.corporate_action), balance (the rise of what the service reports as to come), or '
  'reference price (an estimate: what the reference price lost on ex_date).';
COMMENT ON COLUMN mart.dividend_expected.request_id IS
  'Page of the declaration: ops.request.request_id; null for other sources.';
