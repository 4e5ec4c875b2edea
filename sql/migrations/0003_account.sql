-- Accounts: snapshots of what the service tells of balances, margins, positions and orders. One snapshot a run, all
-- of it or nothing: its rows arrive in one transaction. Meanings that the specification does not give are not guessed.
CREATE SCHEMA account;

-- grain: one row per account_no
CREATE TABLE account.account (
  account_no   VARCHAR,
  account_type VARCHAR,
  request_id   VARCHAR,
  loaded_at    TIMESTAMPTZ
);

COMMENT ON TABLE account.account IS 'One row per account_no: accounts that the key may read, as last told.';
COMMENT ON COLUMN account.account.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.account.account_type IS 'CASH, MARGIN or DERIVATIVE.';
COMMENT ON COLUMN account.account.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.account.loaded_at IS 'Receipt of that page.';

-- grain: one row per account_no, snapshot_id
CREATE TABLE account.snapshot (
  account_no  VARCHAR,
  snapshot_id VARCHAR,
  as_of       DATE,
  state       VARCHAR,
  missing     VARCHAR,
  received_at TIMESTAMPTZ
);

COMMENT ON TABLE account.snapshot IS 'One row per account_no and snapshot_id: what was received of an account at one time.';
COMMENT ON COLUMN account.snapshot.account_no IS 'Account number.';
COMMENT ON COLUMN account.snapshot.snapshot_id IS 'Snapshot, one a run: the run that took it.';
COMMENT ON COLUMN account.snapshot.as_of IS 'Trading date the snapshot stands for.';
COMMENT ON COLUMN account.snapshot.state IS 'complete: every part was received and counts agree; partial: something is missing.';
COMMENT ON COLUMN account.snapshot.missing IS 'What is missing and why, parts separated by semicolons; null when complete.';
COMMENT ON COLUMN account.snapshot.received_at IS 'Receipt of the last page of the snapshot.';

-- grain: one row per snapshot_id, account_no
CREATE TABLE account.equity_balance (
  snapshot_id       VARCHAR,
  account_no        VARCHAR,
  account_balance   DECIMAL(24,4),
  total_debt        DECIMAL(24,4),
  interest_loan     DECIMAL(24,4),
  overdue_fee_loan  DECIMAL(24,4),
  withdrawable      DECIMAL(24,4),
  on_hold_cash      DECIMAL(24,4),
  sell_unmatched    DECIMAL(24,4),
  sell_t0           DECIMAL(24,4),
  sell_t1           DECIMAL(24,4),
  sell_t2           DECIMAL(24,4),
  buy_unmatched     DECIMAL(24,4),
  buy_t0            DECIMAL(24,4),
  buy_t1            DECIMAL(24,4),
  buy_t2            DECIMAL(24,4),
  advanced_cash_t0  DECIMAL(24,4),
  advanced_cash_t1  DECIMAL(24,4),
  hold_subscription DECIMAL(24,4),
  dividend          DECIMAL(24,4),
  request_id        VARCHAR,
  loaded_at         TIMESTAMPTZ
);

COMMENT ON TABLE account.equity_balance IS 'One row per snapshot_id and account_no: cash of an equity account.';
COMMENT ON COLUMN account.equity_balance.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.equity_balance.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.equity_balance.account_balance IS 'Cash of the account, VND.';
COMMENT ON COLUMN account.equity_balance.total_debt IS 'Debt in all, VND.';
COMMENT ON COLUMN account.equity_balance.interest_loan IS 'Interest on loans, VND.';
COMMENT ON COLUMN account.equity_balance.overdue_fee_loan IS 'Fees of overdue loans, VND.';
COMMENT ON COLUMN account.equity_balance.withdrawable IS 'Cash that may be withdrawn, VND.';
COMMENT ON COLUMN account.equity_balance.on_hold_cash IS 'Cash held for orders or other purposes, VND.';
COMMENT ON COLUMN account.equity_balance.sell_unmatched IS 'Value of sell orders not yet matched, VND.';
COMMENT ON COLUMN account.equity_balance.sell_t0 IS 'Sold today, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.sell_t1 IS 'Sold one session ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.sell_t2 IS 'Sold two sessions ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.buy_unmatched IS 'Value of buy orders not yet matched, VND.';
COMMENT ON COLUMN account.equity_balance.buy_t0 IS 'Bought today, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.buy_t1 IS 'Bought one session ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.buy_t2 IS 'Bought two sessions ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_balance.advanced_cash_t0 IS 'Proceeds of today paid in advance, VND.';
COMMENT ON COLUMN account.equity_balance.advanced_cash_t1 IS 'Proceeds of one session ago paid in advance, VND.';
COMMENT ON COLUMN account.equity_balance.hold_subscription IS 'Cash held for subscriptions of rights, VND.';
COMMENT ON COLUMN account.equity_balance.dividend IS 'Cash dividends to come, VND.';
COMMENT ON COLUMN account.equity_balance.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.equity_balance.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no
CREATE TABLE account.derivative_balance (
  snapshot_id               VARCHAR,
  account_no                VARCHAR,
  account_balance           DECIMAL(24,4),
  fee                       DECIMAL(24,4),
  commission                DECIMAL(24,4),
  interest                  DECIMAL(24,4),
  ext_interest              DECIMAL(24,4),
  loan                      DECIMAL(24,4),
  delivery_amount           DECIMAL(24,4),
  floating_pl               DECIMAL(24,4),
  trading_pl                DECIMAL(24,4),
  total_pl                  DECIMAL(24,4),
  withdrawable              DECIMAL(24,4),
  cash_broker               DECIMAL(24,4),
  cash_depository           DECIMAL(24,4),
  valid_non_cash_broker     DECIMAL(24,4),
  valid_non_cash_depository DECIMAL(24,4),
  withdrawable_broker       DECIMAL(24,4),
  withdrawable_depository   DECIMAL(24,4),
  request_id                VARCHAR,
  loaded_at                 TIMESTAMPTZ
);

COMMENT ON TABLE account.derivative_balance IS 'One row per snapshot_id and account_no: cash of a derivative account.';
COMMENT ON COLUMN account.derivative_balance.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.derivative_balance.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.derivative_balance.account_balance IS 'Cash of the account, VND.';
COMMENT ON COLUMN account.derivative_balance.fee IS 'Fees, VND.';
COMMENT ON COLUMN account.derivative_balance.commission IS 'Commission, VND.';
COMMENT ON COLUMN account.derivative_balance.interest IS 'Interest, VND.';
COMMENT ON COLUMN account.derivative_balance.ext_interest IS 'Other interest, VND.';
COMMENT ON COLUMN account.derivative_balance.loan IS 'Loan, VND.';
COMMENT ON COLUMN account.derivative_balance.delivery_amount IS 'Amount to be delivered, VND.';
COMMENT ON COLUMN account.derivative_balance.floating_pl IS 'Profit or loss of open positions, VND.';
COMMENT ON COLUMN account.derivative_balance.trading_pl IS 'Profit or loss of closed positions, VND.';
COMMENT ON COLUMN account.derivative_balance.total_pl IS 'Profit or loss in all, VND.';
COMMENT ON COLUMN account.derivative_balance.withdrawable IS 'Cash that may be withdrawn, VND.';
COMMENT ON COLUMN account.derivative_balance.cash_broker IS 'cash at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.cash_depository IS 'cash at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.valid_non_cash_broker IS 'validNonCash at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.valid_non_cash_depository IS 'validNonCash at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.withdrawable_broker IS 'withdrawable at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.withdrawable_depository IS 'withdrawable at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_balance.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.derivative_balance.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no
CREATE TABLE account.equity_margin (
  snapshot_id                 VARCHAR,
  account_no                  VARCHAR,
  dividend                    DECIMAL(24,4),
  loan_value                  DECIMAL(24,4),
  total_debt                  DECIMAL(24,4),
  debt                        DECIMAL(24,4),
  liability                   DECIMAL(24,4),
  liability_broker            DECIMAL(24,4),
  net_liability               DECIMAL(24,4),
  fees                        DECIMAL(24,4),
  interest_broker             DECIMAL(24,4),
  interest_spv                DECIMAL(24,4),
  withdrawable                DECIMAL(24,4),
  ee                          DECIMAL(24,4),
  ee50                        DECIMAL(24,4),
  ee60                        DECIMAL(24,4),
  ee70                        DECIMAL(24,4),
  ee80                        DECIMAL(24,4),
  ee90                        DECIMAL(24,4),
  action                      VARCHAR,
  action_broker               VARCHAR,
  equity                      DECIMAL(24,4),
  equity_broker               DECIMAL(24,4),
  ee_cash                     DECIMAL(24,4),
  hold_subscription           DECIMAL(24,4),
  bank_balance                DECIMAL(24,4),
  on_hold_cash                DECIMAL(24,4),
  doverdue                    DECIMAL(24,4),
  doverdue_broker             DECIMAL(24,4),
  account_balance             DECIMAL(24,4),
  d                           DECIMAL(24,4),
  dspv                        DECIMAL(24,4),
  dbroker                     DECIMAL(24,4),
  cia                         DECIMAL(24,4),
  collateral_asset            DECIMAL(24,4),
  collateral_asset_broker     DECIMAL(24,4),
  total_assets                DECIMAL(24,4),
  total_equity                DECIMAL(24,4),
  total_equity_broker         DECIMAL(24,4),
  call_lmv                    DECIMAL(24,4),
  force_lmv                   DECIMAL(24,4),
  call_lmv_broker             DECIMAL(24,4),
  force_lmv_broker            DECIMAL(24,4),
  lmv                         DECIMAL(24,4),
  lmv_margin                  DECIMAL(24,4),
  lmv_margin_broker           DECIMAL(24,4),
  lmv_non_marginable          DECIMAL(24,4),
  lmv_non_marginable_broker   DECIMAL(24,4),
  pre_loan                    DECIMAL(24,4),
  margin_ratio                DOUBLE,
  margin_ratio_broker         DOUBLE,
  purchasing_power            DECIMAL(24,4),
  ee_origin                   DECIMAL(24,4),
  buy_unmatched               DECIMAL(24,4),
  sell_unmatched              DECIMAL(24,4),
  buy_t0                      DECIMAL(24,4),
  sell_t0                     DECIMAL(24,4),
  sell_t1                     DECIMAL(24,4),
  sell_t2                     DECIMAL(24,4),
  buy_t1                      DECIMAL(24,4),
  buy_t2                      DECIMAL(24,4),
  credit_limit                DECIMAL(24,4),
  margin_call_lmv_sold        DECIMAL(24,4),
  margin_call_lmv_sold_broker DECIMAL(24,4),
  margin_call                 DECIMAL(24,4),
  margin_call_broker          DECIMAL(24,4),
  collateral_a                DECIMAL(24,4),
  collateral_non              DECIMAL(24,4),
  collateral_a_broker         DECIMAL(24,4),
  collateral_non_broker       DECIMAL(24,4),
  call_margin                 DECIMAL(24,4),
  call_forcesell              DECIMAL(24,4),
  call_margin_broker          DECIMAL(24,4),
  call_forcesell_broker       DECIMAL(24,4),
  ar                          DOUBLE,
  request_id                  VARCHAR,
  loaded_at                   TIMESTAMPTZ
);

COMMENT ON TABLE account.equity_margin IS 'One row per snapshot_id and account_no: purchasing power and margin figures (PP/MMR) of an equity account.';
COMMENT ON COLUMN account.equity_margin.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.equity_margin.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.equity_margin.dividend IS 'Cash dividends to come, VND.';
COMMENT ON COLUMN account.equity_margin.loan_value IS 'loanValue, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.total_debt IS 'Debt in all, VND.';
COMMENT ON COLUMN account.equity_margin.debt IS 'debt, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.liability IS 'liability, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.liability_broker IS 'liability at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.net_liability IS 'netLiability, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.fees IS 'fees, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.interest_broker IS 'interest at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.interest_spv IS 'interestSPV, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.withdrawable IS 'Cash that may be withdrawn, VND.';
COMMENT ON COLUMN account.equity_margin.ee IS 'ee, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee50 IS 'ee50, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee60 IS 'ee60, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee70 IS 'ee70, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee80 IS 'ee80, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee90 IS 'ee90, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.action IS 'Word of the broker for what is due, such as a margin call.';
COMMENT ON COLUMN account.equity_margin.action_broker IS 'The same by the broker''s own rules.';
COMMENT ON COLUMN account.equity_margin.equity IS 'equity, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.equity_broker IS 'equity at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ee_cash IS 'eeCash, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.hold_subscription IS 'Cash held for subscriptions of rights, VND.';
COMMENT ON COLUMN account.equity_margin.bank_balance IS 'bankBalance, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.on_hold_cash IS 'Cash held for orders or other purposes, VND.';
COMMENT ON COLUMN account.equity_margin.doverdue IS 'doverdue, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.doverdue_broker IS 'doverdue at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.account_balance IS 'Cash of the account, VND.';
COMMENT ON COLUMN account.equity_margin.d IS 'd, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.dspv IS 'dspv, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.dbroker IS 'd at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.cia IS 'cia, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_asset IS 'collateralAsset, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_asset_broker IS 'collateralAsset at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.total_assets IS 'totalAssets, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.total_equity IS 'totalEquity, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.total_equity_broker IS 'totalEquity at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_lmv IS 'callLMV, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.force_lmv IS 'forceLMV, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_lmv_broker IS 'callLMV at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.force_lmv_broker IS 'forceLMV at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.lmv IS 'lmv, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.lmv_margin IS 'lmvMargin, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.lmv_margin_broker IS 'lmvMargin at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.lmv_non_marginable IS 'lmvNonMarginable, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.lmv_non_marginable_broker IS 'lmvNonMarginable at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.pre_loan IS 'preLoan, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.margin_ratio IS 'Margin ratio as the broker writes it.';
COMMENT ON COLUMN account.equity_margin.margin_ratio_broker IS 'Margin ratio by the broker''s own rules, as written.';
COMMENT ON COLUMN account.equity_margin.purchasing_power IS 'Purchasing power, VND.';
COMMENT ON COLUMN account.equity_margin.ee_origin IS 'eeOrigin, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.buy_unmatched IS 'Value of buy orders not yet matched, VND.';
COMMENT ON COLUMN account.equity_margin.sell_unmatched IS 'Value of sell orders not yet matched, VND.';
COMMENT ON COLUMN account.equity_margin.buy_t0 IS 'Bought today, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.sell_t0 IS 'Sold today, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.sell_t1 IS 'Sold one session ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.sell_t2 IS 'Sold two sessions ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.buy_t1 IS 'Bought one session ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.buy_t2 IS 'Bought two sessions ago, to be settled, VND.';
COMMENT ON COLUMN account.equity_margin.credit_limit IS 'creditLimit, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.margin_call_lmv_sold IS 'marginCallLMVSold, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.margin_call_lmv_sold_broker IS 'marginCallLMVSold at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.margin_call IS 'marginCall, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.margin_call_broker IS 'marginCall at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_a IS 'collateralA, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_non IS 'collateralNon, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_a_broker IS 'collateralA at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.collateral_non_broker IS 'collateralNon at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_margin IS 'callMargin, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_forcesell IS 'callForcesell, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_margin_broker IS 'callMargin at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.call_forcesell_broker IS 'callForcesell at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.ar IS 'ar: a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.equity_margin.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.equity_margin.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no
CREATE TABLE account.derivative_margin (
  snapshot_id                          VARCHAR,
  account_no                           VARCHAR,
  account_balance                      DECIMAL(24,4),
  fee                                  DECIMAL(24,4),
  commission                           DECIMAL(24,4),
  interest                             DECIMAL(24,4),
  loan                                 DECIMAL(24,4),
  delivery_amount                      DECIMAL(24,4),
  floating_pl                          DECIMAL(24,4),
  trading_pl                           DECIMAL(24,4),
  total_pl                             DECIMAL(24,4),
  marginable                           DECIMAL(24,4),
  depositable                          DECIMAL(24,4),
  rc_call                              DECIMAL(24,4),
  withdrawable                         DECIMAL(24,4),
  non_cash_drawable_rc_call            DECIMAL(24,4),
  total_equity                         DECIMAL(24,4),
  ext_interest                         DECIMAL(24,4),
  cash_broker                          DECIMAL(24,4),
  cash_depository                      DECIMAL(24,4),
  valid_non_cash_broker                DECIMAL(24,4),
  valid_non_cash_depository            DECIMAL(24,4),
  total_asset_broker                   DECIMAL(24,4),
  total_asset_depository               DECIMAL(24,4),
  withdrawable_broker                  DECIMAL(24,4),
  withdrawable_depository              DECIMAL(24,4),
  ee_broker                            DECIMAL(24,4),
  ee_depository                        DECIMAL(24,4),
  spread_margin_broker                 DECIMAL(24,4),
  spread_margin_depository             DECIMAL(24,4),
  delivery_margin_broker               DECIMAL(24,4),
  delivery_margin_depository           DECIMAL(24,4),
  margin_req_broker                    DECIMAL(24,4),
  margin_req_depository                DECIMAL(24,4),
  account_ratio_broker                 DOUBLE,
  account_ratio_depository             DOUBLE,
  used_limit_warning_level1_broker     DOUBLE,
  used_limit_warning_level1_depository DOUBLE,
  used_limit_warning_level2_broker     DOUBLE,
  used_limit_warning_level2_depository DOUBLE,
  used_limit_warning_level3_broker     DOUBLE,
  used_limit_warning_level3_depository DOUBLE,
  margin_call_broker                   DECIMAL(24,4),
  margin_call_depository               DECIMAL(24,4),
  request_id                           VARCHAR,
  loaded_at                            TIMESTAMPTZ
);

COMMENT ON TABLE account.derivative_margin IS 'One row per snapshot_id and account_no: purchasing power and margin figures (PP/MMR) of a derivative account.';
COMMENT ON COLUMN account.derivative_margin.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.derivative_margin.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.derivative_margin.account_balance IS 'Cash of the account, VND.';
COMMENT ON COLUMN account.derivative_margin.fee IS 'Fees, VND.';
COMMENT ON COLUMN account.derivative_margin.commission IS 'Commission, VND.';
COMMENT ON COLUMN account.derivative_margin.interest IS 'Interest, VND.';
COMMENT ON COLUMN account.derivative_margin.loan IS 'Loan, VND.';
COMMENT ON COLUMN account.derivative_margin.delivery_amount IS 'Amount to be delivered, VND.';
COMMENT ON COLUMN account.derivative_margin.floating_pl IS 'Profit or loss of open positions, VND.';
COMMENT ON COLUMN account.derivative_margin.trading_pl IS 'Profit or loss of closed positions, VND.';
COMMENT ON COLUMN account.derivative_margin.total_pl IS 'Profit or loss in all, VND.';
COMMENT ON COLUMN account.derivative_margin.marginable IS 'marginable, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.depositable IS 'depositable, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.rc_call IS 'rcCall, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.withdrawable IS 'Cash that may be withdrawn, VND.';
COMMENT ON COLUMN account.derivative_margin.non_cash_drawable_rc_call IS 'nonCashDrawableRCCall, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.total_equity IS 'totalEquity, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.ext_interest IS 'Other interest, VND.';
COMMENT ON COLUMN account.derivative_margin.cash_broker IS 'cash at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.cash_depository IS 'cash at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.valid_non_cash_broker IS 'validNonCash at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.valid_non_cash_depository IS 'validNonCash at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.total_asset_broker IS 'totalAsset at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.total_asset_depository IS 'totalAsset at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.withdrawable_broker IS 'withdrawable at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.withdrawable_depository IS 'withdrawable at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.ee_broker IS 'ee at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.ee_depository IS 'ee at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.spread_margin_broker IS 'spreadMargin at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.spread_margin_depository IS 'spreadMargin at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.delivery_margin_broker IS 'deliveryMargin at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.delivery_margin_depository IS 'deliveryMargin at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.margin_req_broker IS 'marginReq at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.margin_req_depository IS 'marginReq at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.account_ratio_broker IS 'accountRatio at the broker, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.account_ratio_depository IS 'accountRatio at the depository, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level1_broker IS 'usedLimitWarningLevel1 at the broker, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level1_depository IS 'usedLimitWarningLevel1 at the depository, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level2_broker IS 'usedLimitWarningLevel2 at the broker, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level2_depository IS 'usedLimitWarningLevel2 at the depository, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level3_broker IS 'usedLimitWarningLevel3 at the broker, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.used_limit_warning_level3_depository IS 'usedLimitWarningLevel3 at the depository, a ratio as written; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.margin_call_broker IS 'marginCall at the broker, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.margin_call_depository IS 'marginCall at the depository, VND; its meaning is not given by the specification.';
COMMENT ON COLUMN account.derivative_margin.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.derivative_margin.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no, symbol
CREATE TABLE account.equity_position (
  snapshot_id         VARCHAR,
  account_no          VARCHAR,
  symbol              VARCHAR,
  quantity            BIGINT,
  block_quantity      BIGINT,
  dividend_quantity   BIGINT,
  buying_quantity     BIGINT,
  bought_quantity     BIGINT,
  selling_quantity    BIGINT,
  sold_quantity       BIGINT,
  t1_sell_quantity    BIGINT,
  t2_sell_quantity    BIGINT,
  cost_price          DECIMAL(18,6),
  mortgage_quantity   BIGINT,
  sellable_quantity   BIGINT,
  restricted_quantity BIGINT,
  request_id          VARCHAR,
  loaded_at           TIMESTAMPTZ
);

COMMENT ON TABLE account.equity_position IS 'One row per snapshot_id, account_no, symbol: a holding of an equity account.';
COMMENT ON COLUMN account.equity_position.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.equity_position.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.equity_position.symbol IS 'Symbol of the security or contract.';
COMMENT ON COLUMN account.equity_position.quantity IS 'Quantity, shares or contracts.';
COMMENT ON COLUMN account.equity_position.block_quantity IS 'Shares blocked.';
COMMENT ON COLUMN account.equity_position.dividend_quantity IS 'Shares to come from dividends.';
COMMENT ON COLUMN account.equity_position.buying_quantity IS 'Shares in buy orders not yet matched.';
COMMENT ON COLUMN account.equity_position.bought_quantity IS 'Shares bought today.';
COMMENT ON COLUMN account.equity_position.selling_quantity IS 'Shares in sell orders not yet matched.';
COMMENT ON COLUMN account.equity_position.sold_quantity IS 'Shares sold today.';
COMMENT ON COLUMN account.equity_position.t1_sell_quantity IS 'Shares sold one session ago, to be delivered.';
COMMENT ON COLUMN account.equity_position.t2_sell_quantity IS 'Shares sold two sessions ago, to be delivered.';
COMMENT ON COLUMN account.equity_position.cost_price IS 'Average cost of a share, VND.';
COMMENT ON COLUMN account.equity_position.mortgage_quantity IS 'Shares mortgaged.';
COMMENT ON COLUMN account.equity_position.sellable_quantity IS 'Shares that may be sold now.';
COMMENT ON COLUMN account.equity_position.restricted_quantity IS 'Shares restricted from trading.';
COMMENT ON COLUMN account.equity_position.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.equity_position.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no, symbol, side_of_book
CREATE TABLE account.derivative_position (
  snapshot_id   VARCHAR,
  account_no    VARCHAR,
  side_of_book  VARCHAR,
  symbol        VARCHAR,
  long          BIGINT,
  short         BIGINT,
  net           BIGINT,
  bid_avg_price DECIMAL(18,6),
  ask_avg_price DECIMAL(18,6),
  trade_price   DECIMAL(18,6),
  trading_pl    DECIMAL(24,4),
  floating_pl   DECIMAL(24,4),
  request_id    VARCHAR,
  loaded_at     TIMESTAMPTZ
);

COMMENT ON TABLE account.derivative_position IS 'One row per snapshot_id, account_no, symbol, side_of_book: a derivative position in detail (querySummary=false).';
COMMENT ON COLUMN account.derivative_position.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.derivative_position.account_no IS 'Account number.';
COMMENT ON COLUMN account.derivative_position.side_of_book IS 'open or close: the list that the service names it in.';
COMMENT ON COLUMN account.derivative_position.symbol IS 'Symbol of the security or contract.';
COMMENT ON COLUMN account.derivative_position.long IS 'Contracts long.';
COMMENT ON COLUMN account.derivative_position.short IS 'Contracts short.';
COMMENT ON COLUMN account.derivative_position.net IS 'Contracts long less short.';
COMMENT ON COLUMN account.derivative_position.bid_avg_price IS 'Average price of buys, index points.';
COMMENT ON COLUMN account.derivative_position.ask_avg_price IS 'Average price of sells, index points.';
COMMENT ON COLUMN account.derivative_position.trade_price IS 'Price the position is valued at, index points.';
COMMENT ON COLUMN account.derivative_position.trading_pl IS 'Profit or loss of closed positions, VND.';
COMMENT ON COLUMN account.derivative_position.floating_pl IS 'Profit or loss of open positions, VND.';
COMMENT ON COLUMN account.derivative_position.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.derivative_position.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no, symbol
CREATE TABLE account.derivative_position_summary (
  snapshot_id   VARCHAR,
  account_no    VARCHAR,
  symbol        VARCHAR,
  long          BIGINT,
  short         BIGINT,
  net           BIGINT,
  bid_avg_price DECIMAL(18,6),
  ask_avg_price DECIMAL(18,6),
  trade_price   DECIMAL(18,6),
  trading_pl    DECIMAL(24,4),
  floating_pl   DECIMAL(24,4),
  request_id    VARCHAR,
  loaded_at     TIMESTAMPTZ
);

COMMENT ON TABLE account.derivative_position_summary IS 'One row per snapshot_id, account_no, symbol: a derivative position in sum (querySummary=true).';
COMMENT ON COLUMN account.derivative_position_summary.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.derivative_position_summary.account_no IS 'Account number.';
COMMENT ON COLUMN account.derivative_position_summary.symbol IS 'Symbol of the security or contract.';
COMMENT ON COLUMN account.derivative_position_summary.long IS 'Contracts long.';
COMMENT ON COLUMN account.derivative_position_summary.short IS 'Contracts short.';
COMMENT ON COLUMN account.derivative_position_summary.net IS 'Contracts long less short.';
COMMENT ON COLUMN account.derivative_position_summary.bid_avg_price IS 'Average price of buys, index points.';
COMMENT ON COLUMN account.derivative_position_summary.ask_avg_price IS 'Average price of sells, index points.';
COMMENT ON COLUMN account.derivative_position_summary.trade_price IS 'Price the position is valued at, index points.';
COMMENT ON COLUMN account.derivative_position_summary.trading_pl IS 'Profit or loss of closed positions, VND.';
COMMENT ON COLUMN account.derivative_position_summary.floating_pl IS 'Profit or loss of open positions, VND.';
COMMENT ON COLUMN account.derivative_position_summary.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.derivative_position_summary.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, order_id
CREATE TABLE account.order_book (
  snapshot_id       VARCHAR,
  account_no        VARCHAR,
  client_request_id VARCHAR,
  order_id          VARCHAR,
  symbol            VARCHAR,
  side              VARCHAR,
  order_type        VARCHAR,
  quantity          BIGINT,
  price             VARCHAR,
  filled_qty        BIGINT,
  cancel_qty        BIGINT,
  avg_price         DECIMAL(18,6),
  input_at          TIMESTAMPTZ,
  modified_at       TIMESTAMPTZ,
  order_status      VARCHAR,
  message           VARCHAR,
  request_id        VARCHAR,
  loaded_at         TIMESTAMPTZ
);

COMMENT ON TABLE account.order_book IS 'One row per snapshot_id and order_id: an order as the service told it.';
COMMENT ON COLUMN account.order_book.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.order_book.account_no IS 'Account number.';
COMMENT ON COLUMN account.order_book.client_request_id IS 'The client''s own identifier of the order.';
COMMENT ON COLUMN account.order_book.order_id IS 'The service''s identifier of the order.';
COMMENT ON COLUMN account.order_book.symbol IS 'Symbol of the security or contract.';
COMMENT ON COLUMN account.order_book.side IS 'B buy, S sell.';
COMMENT ON COLUMN account.order_book.order_type IS 'LO, ATO, ATC or MP.';
COMMENT ON COLUMN account.order_book.quantity IS 'Quantity, shares or contracts.';
COMMENT ON COLUMN account.order_book.price IS 'Price as sent: VND or index points as text, or a word such as MP or ATO.';
COMMENT ON COLUMN account.order_book.filled_qty IS 'Quantity matched.';
COMMENT ON COLUMN account.order_book.cancel_qty IS 'Quantity cancelled.';
COMMENT ON COLUMN account.order_book.avg_price IS 'Average price of what was matched, VND or index points.';
COMMENT ON COLUMN account.order_book.input_at IS 'When the order was entered.';
COMMENT ON COLUMN account.order_book.modified_at IS 'When it was last changed.';
COMMENT ON COLUMN account.order_book.order_status IS 'WA, RS, SD, QU, PF, FF, FFPC, WM, WC, CL, RJ, EX, IAV or PD; terminal: FF, FFPC, CL, RJ, EX.';
COMMENT ON COLUMN account.order_book.message IS 'Why it was rejected, or other words of the service.';
COMMENT ON COLUMN account.order_book.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.order_book.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, fco_id
CREATE TABLE account.conditional_order (
  snapshot_id      VARCHAR,
  fco_id           VARCHAR,
  username         VARCHAR,
  account_no       VARCHAR,
  price            VARCHAR,
  price_slip       DECIMAL(18,6),
  symbol           VARCHAR,
  order_type       VARCHAR,
  from_at          TIMESTAMPTZ,
  to_at            TIMESTAMPTZ,
  detail           VARCHAR,
  quantity         BIGINT,
  matched_quantity BIGINT,
  type             VARCHAR,
  is_place_order   BOOLEAN,
  status           VARCHAR,
  stop_price       DECIMAL(18,6),
  side             VARCHAR,
  active_price     DECIMAL(18,6),
  trailing_amount  DECIMAL(18,6),
  tp_active_price  DECIMAL(18,6),
  sl_active_price  DECIMAL(18,6),
  tp_price         VARCHAR,
  sl_price         VARCHAR,
  tp_slip          DECIMAL(18,6),
  sl_slip          DECIMAL(18,6),
  operator         VARCHAR,
  request_id       VARCHAR,
  loaded_at        TIMESTAMPTZ
);

COMMENT ON TABLE account.conditional_order IS 'One row per snapshot_id and fco_id: a conditional order as the service told it.';
COMMENT ON COLUMN account.conditional_order.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.conditional_order.fco_id IS 'Identifier of the conditional order.';
COMMENT ON COLUMN account.conditional_order.username IS 'Login that placed it.';
COMMENT ON COLUMN account.conditional_order.account_no IS 'Account number; its last digit tells the type: 1 cash, 6 margin, 8 derivative.';
COMMENT ON COLUMN account.conditional_order.price IS 'Price as sent: VND or index points as text, or a word such as MP or ATO.';
COMMENT ON COLUMN account.conditional_order.price_slip IS 'Slippage allowed, VND or index points.';
COMMENT ON COLUMN account.conditional_order.symbol IS 'Symbol of the security or contract.';
COMMENT ON COLUMN account.conditional_order.order_type IS 'LO, ATO, ATC or MP.';
COMMENT ON COLUMN account.conditional_order.from_at IS 'Begin of its validity.';
COMMENT ON COLUMN account.conditional_order.to_at IS 'End of its validity.';
COMMENT ON COLUMN account.conditional_order.detail IS 'Words of the service.';
COMMENT ON COLUMN account.conditional_order.quantity IS 'Quantity, shares or contracts.';
COMMENT ON COLUMN account.conditional_order.matched_quantity IS 'Quantity matched by its child orders.';
COMMENT ON COLUMN account.conditional_order.type IS 'stop, stop_limit, gtd, bullbear, oco, trailing_stop or trailing_stop_limit.';
COMMENT ON COLUMN account.conditional_order.is_place_order IS 'Whether a child order has been sent.';
COMMENT ON COLUMN account.conditional_order.status IS 'INIT, WAIT, TRI, TRIT, TER, FIS, WC, EXP or ERR.';
COMMENT ON COLUMN account.conditional_order.stop_price IS 'Price at which it triggers, VND or index points.';
COMMENT ON COLUMN account.conditional_order.side IS 'B buy, S sell.';
COMMENT ON COLUMN account.conditional_order.active_price IS 'Price from which a trailing stop follows.';
COMMENT ON COLUMN account.conditional_order.trailing_amount IS 'Distance between market and stop price.';
COMMENT ON COLUMN account.conditional_order.tp_active_price IS 'Trigger of the take-profit leg.';
COMMENT ON COLUMN account.conditional_order.sl_active_price IS 'Trigger of the stop-loss leg.';
COMMENT ON COLUMN account.conditional_order.tp_price IS 'Price of the take-profit order, a number or a word.';
COMMENT ON COLUMN account.conditional_order.sl_price IS 'Price of the stop-loss order, a number or a word.';
COMMENT ON COLUMN account.conditional_order.tp_slip IS 'Slippage of the take-profit order.';
COMMENT ON COLUMN account.conditional_order.sl_slip IS 'Slippage of the stop-loss order.';
COMMENT ON COLUMN account.conditional_order.operator IS 'How the market price is compared with the stop price, as sent: a word, or 0 to 4 on some deployments.';
COMMENT ON COLUMN account.conditional_order.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.conditional_order.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, fco_id, ordinal
CREATE TABLE account.conditional_order_event (
  snapshot_id VARCHAR,
  account_no  VARCHAR,
  fco_id      VARCHAR,
  ordinal     BIGINT,
  state       VARCHAR,
  occurred_at TIMESTAMPTZ,
  code        BIGINT,
  detail      VARCHAR,
  request_id  VARCHAR,
  loaded_at   TIMESTAMPTZ
);

COMMENT ON TABLE account.conditional_order_event IS 'One row per snapshot_id, fco_id, ordinal: a step in the life of a conditional order.';
COMMENT ON COLUMN account.conditional_order_event.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.conditional_order_event.account_no IS 'Account number.';
COMMENT ON COLUMN account.conditional_order_event.fco_id IS 'Conditional order: account.conditional_order.fco_id.';
COMMENT ON COLUMN account.conditional_order_event.ordinal IS 'Position in the history as the service told it, from 1.';
COMMENT ON COLUMN account.conditional_order_event.state IS 'Status it moved to.';
COMMENT ON COLUMN account.conditional_order_event.occurred_at IS 'When it moved.';
COMMENT ON COLUMN account.conditional_order_event.code IS '0, or what went wrong.';
COMMENT ON COLUMN account.conditional_order_event.detail IS 'Words of the service.';
COMMENT ON COLUMN account.conditional_order_event.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.conditional_order_event.loaded_at IS 'Receipt of that page.';

-- grain: one row per snapshot_id, account_no, symbol
CREATE TABLE account.max_quantity (
  snapshot_id      VARCHAR,
  account_no       VARCHAR,
  symbol           VARCHAR,
  price            DECIMAL(18,6),
  max_buy_qty      BIGINT,
  margin_ratio     DOUBLE,
  max_sell_qty     BIGINT,
  purchasing_power DECIMAL(24,4),
  request_id       VARCHAR,
  loaded_at        TIMESTAMPTZ
);

COMMENT ON TABLE account.max_quantity IS 'One row per snapshot_id, account_no, symbol: how much of a held symbol can be bought and sold at its latest close.';
COMMENT ON COLUMN account.max_quantity.snapshot_id IS 'Snapshot: account.snapshot.snapshot_id.';
COMMENT ON COLUMN account.max_quantity.account_no IS 'Account number.';
COMMENT ON COLUMN account.max_quantity.symbol IS 'Symbol held.';
COMMENT ON COLUMN account.max_quantity.price IS 'Price that was asked: the latest close known, VND or index points.';
COMMENT ON COLUMN account.max_quantity.max_buy_qty IS 'Most that can be bought at the price.';
COMMENT ON COLUMN account.max_quantity.margin_ratio IS 'Margin ratio as the broker writes it.';
COMMENT ON COLUMN account.max_quantity.max_sell_qty IS 'Most that can be sold.';
COMMENT ON COLUMN account.max_quantity.purchasing_power IS 'Purchasing power, VND.';
COMMENT ON COLUMN account.max_quantity.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN account.max_quantity.loaded_at IS 'Receipt of that page.';

COMMENT ON COLUMN ops.run.job IS 'nightly, backfill, snapshot, replay or publish.';
COMMENT ON COLUMN ops.coverage.dataset IS 'securities, indexes, indexMembers, securitiesSummary, indexSummary, masterdata, ohlc or snapshot.';
COMMENT ON COLUMN ops.coverage.key IS 'Symbol, index, board or account asked for; * = all in one answer.';
