-- grain: one row per underlying and session on which its front contract has a daily summary
-- mart.futures_rolled by its usual arguments: rolled by expiry, joined by ratio. The macro has the other
-- rules: mart.futures_rolled('volume', 'difference').
CREATE OR REPLACE VIEW mart.futures_continuous AS
SELECT underlying, trading_date, roll_rule, adjustment, contract, symbol, last_trading_date, is_roll,
  roll_price, roll_priced_on, roll_ratio, roll_difference, is_roll_known,
  adjustment_factor, adjustment_points,
  open_adjusted, high_adjusted, low_adjusted, close_adjusted, settlement_price_adjusted,
  open, high, low, close, settlement_price, total_match, open_interest
FROM mart.futures_rolled('expiry', 'ratio');
COMMENT ON VIEW mart.futures_continuous IS
  'One row per underlying and session: the front contract, held through its last trading date, with prices '
  'as they were and ratio-adjusted to the latest contract stored. Other rules: mart.futures_rolled.';
COMMENT ON COLUMN mart.futures_continuous.underlying IS 'Index: VN30.';
COMMENT ON COLUMN mart.futures_continuous.trading_date IS
  'Trading date, exchange calendar (UTC+7). A session that the front contract has no summary of has no row.';
COMMENT ON COLUMN mart.futures_continuous.roll_rule IS
  'expiry: the contract is held through its last session. In mart.futures_rolled also volume and '
  'open_interest: the next one is taken on the session after the first in which it had more than the '
  'nearest.';
COMMENT ON COLUMN mart.futures_continuous.adjustment IS
  'ratio: earlier prices x adjustment_factor. In mart.futures_rolled also difference: + adjustment_points.';
COMMENT ON COLUMN mart.futures_continuous.contract IS
  'Front contract: nearest last trading date that is not past.';
COMMENT ON COLUMN mart.futures_continuous.symbol IS
  'Code under which it was quoted; of two on one session the one with more volume.';
COMMENT ON COLUMN mart.futures_continuous.is_roll IS
  'Whether the contract is another than on the session before: the first session after the last one of the '
  'outgoing contract. False on the first session stored.';
COMMENT ON COLUMN mart.futures_continuous.roll_price IS
  'On a roll: which price of both contracts joins them, close or settlement_price (where one had no close); '
  'null on other sessions, and where no pair of prices is stored.';
COMMENT ON COLUMN mart.futures_continuous.roll_priced_on IS
  'On a roll: session of these prices, mostly the last one before the roll; null as roll_price.';
COMMENT ON COLUMN mart.futures_continuous.roll_ratio IS
  'On a roll: roll_price of the incoming / roll_price of the outgoing contract on roll_priced_on; null as '
  'roll_price.';
COMMENT ON COLUMN mart.futures_continuous.roll_difference IS
  'On a roll: roll_price of the incoming - roll_price of the outgoing contract, index points; null as '
  'roll_price.';
COMMENT ON COLUMN mart.futures_continuous.is_roll_known IS
  'Whether the prices of all later rolls are known; false: one of them moves nothing, and adjusted prices do '
  'not compare across it.';
COMMENT ON COLUMN mart.futures_continuous.adjustment_factor IS
  'Product of the ratios of all later rolls; 1 for the latest contract stored, and where adjustment is '
  'difference.';
COMMENT ON COLUMN mart.futures_continuous.adjustment_points IS
  'Sum of the differences of all later rolls, index points; 0 where adjustment is ratio.';
COMMENT ON COLUMN mart.futures_continuous.open_adjusted IS
  'open x adjustment_factor + adjustment_points: points of the latest contract.';
COMMENT ON COLUMN mart.futures_continuous.settlement_price_adjusted IS
  'settlement_price x adjustment_factor + adjustment_points.';
COMMENT ON COLUMN mart.futures_continuous.open IS
  'First price matched, index points, raw; null where none was.';
COMMENT ON COLUMN mart.futures_continuous.close IS 'Last price matched, raw; null where none was.';
COMMENT ON COLUMN mart.futures_continuous.settlement_price IS
  'Settlement price of the session, index points, raw; null where none was reported.';
COMMENT ON COLUMN mart.futures_continuous.total_match IS 'Matched volume of the front contract, contracts.';
COMMENT ON COLUMN mart.futures_continuous.open_interest IS
  'Open interest of the front contract, contracts; null where none was reported.';
