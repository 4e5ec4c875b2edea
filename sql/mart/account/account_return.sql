-- grain: one row per account and session from the account's first snapshot on, and per session one of all
--   accounts together, account_no 'ALL': leave it out of sums
-- From mart.account_equity_curve. equity is its net asset value where the closes of the session are known.
-- What of a change is a flow (money or shares brought in or taken out) no field reports; two answers of the
-- service decide. Cash: what neither prices, trades nor the most that costs and dividends can be explain is
-- a flow where every position is explained and the service's own total_equity moved by the same (10 VND and
-- 1 % of the flow); known costs and new dividends are taken out of it. Shares: what neither fills nor an
-- ex-date explain is a flow in kind, at the close (all gone: at the close of the session before), where
-- cash is explained, so that nothing was paid for them, and total_equity moved too. Anything else is not
-- reconciled: no return, and reason says why. So is a change of both, which can be trades that no order
-- reports, and one of contracts, which are worth nothing by themselves. Return: gain over what was there to
-- earn it: (change - flow) / (equity_before + flow), where only money that came in is added: what comes in
-- counts from the start of the day, what goes out until its end. Returns compound over any period; that of
-- a day after missing ones is since before_of. ALL: only sessions of which every account is known; an
-- account that appears later is a flow of its equity, one whose snapshots end with nothing left in it is
-- left out afterwards.
CREATE OR REPLACE VIEW mart.account_return AS
FROM mart.account_return_of('mart.account_equity_curve', 'mart.account_cost');
COMMENT ON VIEW mart.account_return IS
  'One row per account and session, and one of all accounts together (ALL): equity, what came in and went '
  'out, and the time-weighted return. Sessions that are missing or not reconciled have no return and a '
  'reason.';
COMMENT ON COLUMN mart.account_return.account_no IS
  'Account number; ALL: all accounts together. Leave ALL out of sums.';
COMMENT ON COLUMN mart.account_return.account_type IS 'CASH, MARGIN or DERIVATIVE; ALL for all accounts.';
COMMENT ON COLUMN mart.account_return.trading_date IS 'Session.';
COMMENT ON COLUMN mart.account_return.state IS
  'complete; partial where the session''s snapshots are; missing where there is none. ALL: complete where '
  'every account is.';
COMMENT ON COLUMN mart.account_return.before_of IS
  'Session that the row compares with: the complete one before; ALL: the one before of which every '
  'account is known. Null for the first.';
COMMENT ON COLUMN mart.account_return.equity IS
  'Net asset value at the close, VND (mart.account_equity_curve.net_asset_value); null where it is not known '
  'by the closes of the session.';
COMMENT ON COLUMN mart.account_return.equity_before IS 'equity of before_of, VND.';
COMMENT ON COLUMN mart.account_return.change IS 'equity less equity_before, VND, flows included.';
COMMENT ON COLUMN mart.account_return.price_gain IS
  'Part of change that prices and trades explain, VND (mart.account_equity_curve); share_flow is in it.';
COMMENT ON COLUMN mart.account_return.costs IS
  'Fees, tax and interest since before_of, VND, positive (mart.account_cost); null where one is not known.';
COMMENT ON COLUMN mart.account_return.dividends IS
  'Rise of dividends to come (account.equity_balance.dividend) since before_of, VND; 0 where they fell.';
COMMENT ON COLUMN mart.account_return.cash_flow IS
  'Money brought in (positive) or taken out since before_of, VND, inferred from two answers of the '
  'service. 0 where costs and dividends explain what prices and trades do not; null where it is not '
  'reconciled.';
COMMENT ON COLUMN mart.account_return.share_flow IS
  'Value of shares brought in or taken out since before_of, VND, inferred likewise; null where it is not '
  'reconciled.';
COMMENT ON COLUMN mart.account_return.flow IS
  'cash_flow + share_flow, VND; ALL: payments between own accounts cancel out. Null where one is.';
COMMENT ON COLUMN mart.account_return.residual IS
  'Part of change that is left, VND: less price_gain, dividends and cash_flow, plus costs: rounding, '
  'costs that are not known, dividends that the balance does not name. It is in the return; null where '
  'flow is.';
COMMENT ON COLUMN mart.account_return.time_weighted IS
  'Return since before_of, a fraction (0.01 = 1 %): (change - flow) / (equity_before + flow that came in). '
  'Null where reason is not.';
COMMENT ON COLUMN mart.account_return.reason IS
  'Why there is no return, or no equity; null where there is a return.';
