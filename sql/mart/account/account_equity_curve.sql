-- grain: one row per account and trading date of which a snapshot was taken; figures where one is complete
-- Net asset value by ours: net_cash + position_value. Shares: account_balance counts what is bought until it
-- is paid (T+2), so unsettled buys are taken off it and unsettled sells added; dividends to come are added,
-- debt with its interest taken off; positions at close, with shares to come. Contracts: cash, delivery_amount
-- (the day's settlement, paid the next day) and the profit of closed contracts, less loans; of open ones the
-- profit against their average price. The specification gives no meaning for these fields; on the sandbox the
-- sum is total_equity to the last dong, but for shares to come, which that does not count. advanced_cash,
-- fee, commission and interest of derivative accounts are excluded: whether the balance has them already is
-- not reported.
-- unexplained_cash: the change that neither prices nor trades explain: fees, tax and interest (negative),
-- dividends that arose (positive), money paid in or out. No field separates these. Where it lies within what
-- costs and dividends may be (costs_most, income_most) no payment has to be assumed, and the change is a
-- return; elsewhere the return is not reported.
-- costs_most: 0.6 % of what was traded (contracts 0.05 %), interest of 20 % a year on debt, the tax on
-- dividends that were paid, 10 VND.
-- income_most: what shares held or bought lost by the reference prices of ex-dates in between, a tick more,
-- less the shares that came or are to come instead; interest of 1 % a year on cash, 10 VND.
CREATE OR REPLACE VIEW mart.account_equity_curve AS
FROM mart.account_equity_curve_of('mart.position_change', 'mart.position_value');
COMMENT ON VIEW mart.account_equity_curve IS
  'One row per account and trading date: cash, positions at close and net asset value beside what the '
  'service reports, how it changed, and what neither prices nor trades explain of that. Days with partial '
  'snapshots only are there without figures.';
COMMENT ON COLUMN mart.account_equity_curve.account_type IS 'CASH, MARGIN or DERIVATIVE.';
COMMENT ON COLUMN mart.account_equity_curve.trading_date IS 'Trading date the snapshot is for.';
COMMENT ON COLUMN mart.account_equity_curve.state IS
  'complete, or partial: then every figure is null, which does not mean that nothing was held.';
COMMENT ON COLUMN mart.account_equity_curve.missing IS
  'What a partial snapshot lacks and why; null when complete.';
COMMENT ON COLUMN mart.account_equity_curve.before_of IS
  'Trading date of the complete snapshot before, which change and what follows compare with; null for the '
  'first.';
COMMENT ON COLUMN mart.account_equity_curve.account_balance IS
  'Cash of the account as the service reports it, VND.';
COMMENT ON COLUMN mart.account_equity_curve.unsettled_sells IS
  'sell_t0 + sell_t1 + sell_t2: sold, not yet paid, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.unsettled_buys IS
  'buy_t0 + buy_t1 + buy_t2: bought, not yet taken off the balance, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.dividend IS
  'Cash dividends to come, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.delivery_amount IS
  'Derivative accounts: profit of the day''s settlement, paid the next day, VND; 0 for others.';
COMMENT ON COLUMN mart.account_equity_curve.total_debt IS
  'Debt with interest and fees, VND; derivative accounts: loan.';
COMMENT ON COLUMN mart.account_equity_curve.net_cash IS
  'account_balance + unsettled_sells - unsettled_buys + dividend + delivery_amount + trading_pl (derivative '
  'accounts) - total_debt, VND; negative when on margin.';
COMMENT ON COLUMN mart.account_equity_curve.positions IS 'Symbols the snapshot names as held.';
COMMENT ON COLUMN mart.account_equity_curve.position_value IS
  'Shares: market value at close, shares to come included, VND. Derivative accounts: unrealised profit '
  'against the average price, VND. Null where one position has no price of 45 days.';
COMMENT ON COLUMN mart.account_equity_curve.net_asset_value IS 'net_cash + position_value, VND: ours.';
COMMENT ON COLUMN mart.account_equity_curve.total_equity IS
  'Net asset value as the service reports it (PP/MMR), VND; null where it does not.';
COMMENT ON COLUMN mart.account_equity_curve.priced_on IS
  'Session whose closes value the positions: trading_date, or the oldest one of a position whose close of '
  'this session is not stored or is withheld; null without positions.';
COMMENT ON COLUMN mart.account_equity_curve.difference IS
  'net_asset_value less total_equity, VND: services may not count shares to come.';
COMMENT ON COLUMN mart.account_equity_curve.change IS
  'net_asset_value less that of before_of, VND, payments included; null for the first, and where the closes '
  'of one of the two sessions are not known (priced_on).';
COMMENT ON COLUMN mart.account_equity_curve.bought_value IS
  'Filled buys since before_of, VND, without fees; contracts at what they stand for. Null where an average '
  'price is not reported.';
COMMENT ON COLUMN mart.account_equity_curve.sold_value IS
  'Filled sells since before_of, VND, without fees and tax.';
COMMENT ON COLUMN mart.account_equity_curve.price_gain IS
  'Part of change that prices and trades explain: market value of positions less that of before_of, less '
  'bought_value, plus sold_value (and what expired), VND. On an ex-date it includes what the price lost. '
  'Null where change is.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_cash IS
  'change less price_gain, VND: fees, tax, interest, dividends, and money paid in (positive) or out, which '
  'no field separates.';
COMMENT ON COLUMN mart.account_equity_curve.costs_most IS
  'What fees, tax and interest may be at most, VND: 0.6 % of what was traded (contracts 0.05 %), 20 % a '
  'year on debt, the tax of mart.dividend_tax on dividends that were paid, 10 VND.';
COMMENT ON COLUMN mart.account_equity_curve.income_most IS
  'What dividends and interest on cash may be at most, VND: by the reference prices of ex-dates in between, '
  '1 % a year on the balance, 10 VND.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_positions IS
  'Symbols whose quantity changed by what neither fills nor an ex-date explains: shares transferred, or '
  'orders not reported.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_shares IS
  'Value of these quantities, VND, at the close (of before_of where nothing of the symbol is left); null '
  'where a price or a quantity is not known.';
COMMENT ON COLUMN mart.account_equity_curve.return_without_flows IS
  'change over the net asset value of before_of, a fraction (0.01 = 1 %), where costs and dividends explain '
  'unexplained_cash and every position is explained; null where money or shares may have been paid in or '
  'out, since how much is not reported, and where the account was worth nothing.';
