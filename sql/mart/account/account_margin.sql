-- grain: one row per margin or derivative account and trading date with a complete snapshot
-- mart.account_margin_after at a fall of 7 %: the daily limit of HOSE.
CREATE OR REPLACE VIEW mart.account_margin AS
FROM mart.account_margin_after(0.07);
COMMENT ON VIEW mart.account_margin IS
  'One row per margin or derivative account and trading date: margin ratio, the levels of calls and forced '
  'sales, how far they are, and what a fall of all prices by 7 % would do.';
COMMENT ON COLUMN mart.account_margin.account_type IS 'MARGIN or DERIVATIVE.';
COMMENT ON COLUMN mart.account_margin.action IS
  'What the service states for the account, as it writes it (NONE, CALL, FORCESELL of the sandbox); null for '
  'contracts.';
COMMENT ON COLUMN mart.account_margin.total_assets IS
  'Assets as the service states them, VND; contracts: at the depository.';
COMMENT ON COLUMN mart.account_margin.total_equity IS 'Net asset value as the service states it, VND.';
COMMENT ON COLUMN mart.account_margin.total_debt IS 'Debt as the service states it, VND; contracts: loan.';
COMMENT ON COLUMN mart.account_margin.exposure IS
  'What a fall of prices acts on, VND: the market value of shares as the service states it (lmv); contracts: '
  'what they stand for, short negative, null where one has no price.';
COMMENT ON COLUMN mart.account_margin.ratio IS
  'As the service states it: shares margin_ratio (equity over assets), falling is worse; contracts '
  'account_ratio (required over assets), rising is worse.';
COMMENT ON COLUMN mart.account_margin.margin_call IS 'Money that the service asks for, VND.';
COMMENT ON COLUMN mart.account_margin.call_ratio IS
  'Equity over assets at which the service asks for money: 1 - total_debt / call_assets; null without a '
  'level, and for contracts.';
COMMENT ON COLUMN mart.account_margin.force_ratio IS
  'Equity over assets at which the service sells: 1 - total_debt / force_assets; null as call_ratio.';
COMMENT ON COLUMN mart.account_margin.call_assets IS
  'Assets below which the service asks for money, VND (call_lmv, read as assets); null where it states none.';
COMMENT ON COLUMN mart.account_margin.force_assets IS
  'Assets below which the service sells, VND (force_lmv, read as assets); null where it states none.';
COMMENT ON COLUMN mart.account_margin.call_distance IS
  'total_assets less call_assets, VND; negative: below the level.';
COMMENT ON COLUMN mart.account_margin.call_fall IS
  'Fall of all prices that leads to call_assets, a fraction of exposure; negative: below the level; null '
  'without exposure.';
COMMENT ON COLUMN mart.account_margin.force_distance IS
  'total_assets less force_assets, VND; negative: below the level.';
COMMENT ON COLUMN mart.account_margin.force_fall IS
  'Fall of all prices that leads to force_assets, a fraction of exposure; as call_fall.';
COMMENT ON COLUMN mart.account_margin.required IS 'Contracts: margin required, VND; null for shares.';
COMMENT ON COLUMN mart.account_margin.warning_level_1 IS
  'Contracts: first limit of ratio that the service states; null for shares, or where it states none.';
COMMENT ON COLUMN mart.account_margin.warning_level_2 IS 'Second limit, as warning_level_1.';
COMMENT ON COLUMN mart.account_margin.warning_level_3 IS 'Third limit, as warning_level_1.';
COMMENT ON COLUMN mart.account_margin.fall IS 'Fall of all prices that the columns after it assume: 0.07.';
COMMENT ON COLUMN mart.account_margin.assets_after IS 'total_assets less fall x exposure, VND.';
COMMENT ON COLUMN mart.account_margin.equity_after IS 'total_equity less fall x exposure, VND.';
COMMENT ON COLUMN mart.account_margin.ratio_after IS
  'ratio after the fall: equity_after over assets_after; contracts: required less fall, over assets_after.';
COMMENT ON COLUMN mart.account_margin.action_after IS
  'What the levels lead to after the fall: NONE, CALL, FORCESELL; contracts NONE, LEVEL1, LEVEL2, LEVEL3. '
  'Null where a level is not known.';
