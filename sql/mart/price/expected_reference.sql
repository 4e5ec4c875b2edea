-- The reference price that declared corporate actions of one ex-date give: rights count where they cost less
-- than the price without the dividend, as nobody takes them up otherwise. new_shares and rights: shares per
-- share held; rights_money: what those cost, VND per share held; split: shares after per share before.
CREATE OR REPLACE MACRO mart.expected_reference(basis, cash, new_shares, rights, rights_money, split) AS (
  CASE WHEN rights_money < rights * (basis - cash)
    THEN (basis - cash + rights_money) / (1 + new_shares + rights)
    ELSE (basis - cash) / (1 + new_shares) END / split
);
COMMENT ON MACRO mart.expected_reference IS
  'Reference price, VND, after cash dividends, new shares, rights and splits of one ex-date, from the price '
  'before.';
