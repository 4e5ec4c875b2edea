-- grain: one row per daily summary and fetched bar with a value of a quantity
-- rule: 39
-- title: a value over its quantity is a price of that day
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: a daily summary or a bar with a value, its quantity and the prices around it
-- why: a mean of prices lies between them: matched between low and high, put-through between floor and
--   ceiling. Foreigners deal too; where there were no deals, theirs beside low and high is a flag. Catches
--   values in thousands, and volumes in lots. Deals of some kinds may leave the band: soft
-- evidence: 43.58 % of 1,060 sessions of a source that rounds values before its step was allowed, all
--   boards, days not recorded, docs/market-facts.md#pass-rates
-- tolerance: 1 % of the price, for odd lots at other prices; bars 1 VND per unit, since they have no odd
--   lots. Where the source rounds values or volumes, half a step over the quantity (audit_rounding,
--   audit_bar_rounding): a value to 0.01 billion VND may be 5 million off, which is much for a few shares
--   and nothing for many
WITH ratio AS (
  SELECT trading_date, symbol, multiplier, low, high, floor, ceiling,
    coalesce(total_deal, 0) = 0 AS nobody_dealt,
    price_slack(value_half, volume_half, nullif(total_match, 0), multiplier, high) AS matched_slack,
    price_slack(value_half, volume_half, nullif(total_foreign_buy, 0), multiplier, ceiling) AS bought_slack,
    price_slack(value_half, volume_half, nullif(total_foreign_sell, 0), multiplier, ceiling) AS sold_slack,
    price_slack(value_half, volume_half, nullif(total_deal, 0), multiplier, ceiling) AS dealt_slack,
    CASE WHEN low > 0 AND high > 0 AND total_match > 0 AND total_match_value > 0
      THEN num(total_match_value) / (num(total_match) * multiplier) END AS matched,
    CASE WHEN floor > 0 AND ceiling > 0 AND total_foreign_buy > 0 AND total_foreign_buy_value > 0
      THEN num(total_foreign_buy_value) / (num(total_foreign_buy) * multiplier) END AS bought,
    CASE WHEN floor > 0 AND ceiling > 0 AND total_foreign_sell > 0 AND total_foreign_sell_value > 0
      THEN num(total_foreign_sell_value) / (num(total_foreign_sell) * multiplier) END AS sold,
    CASE WHEN floor > 0 AND ceiling > 0 AND total_deal > 0 AND total_deal_value > 0
      THEN num(total_deal_value) / (num(total_deal) * multiplier) END AS dealt
  FROM audit_day JOIN audit_rounding USING (trading_date)
), fit AS (
  SELECT *,
    matched BETWEEN 0.99 * num(low) - matched_slack AND 1.01 * num(high) + matched_slack AS matched_fits,
    bought BETWEEN 0.99 * num(floor) - bought_slack AND 1.01 * num(ceiling) + bought_slack AS bought_fits,
    sold BETWEEN 0.99 * num(floor) - sold_slack AND 1.01 * num(ceiling) + sold_slack AS sold_fits,
    dealt BETWEEN 0.99 * num(floor) - dealt_slack AND 1.01 * num(ceiling) + dealt_slack AS dealt_fits,
    NOT nobody_dealt OR matched IS NULL
      OR coalesce(bought BETWEEN 0.999 * num(low) - bought_slack AND 1.001 * num(high) + bought_slack, true)
        AND coalesce(sold BETWEEN 0.999 * num(low) - sold_slack AND 1.001 * num(high) + sold_slack, true)
      AS foreign_matched
  FROM ratio
), bar AS (
  SELECT trading_date, symbol, timeframe, opened_at, low, high, num(value) / num(volume) AS unit,
    mart.multiplier(symbol) AS multiplier, 1 + bar_value_half / num(volume) AS slack
  FROM audit_candle JOIN audit_bar_rounding USING (trading_date)
  WHERE NOT is_derived AND value > 0 AND volume > 0 AND low > 0 AND high > 0
)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  concat_ws(', ', 'matched ' || as_text(low) || ' to ' || as_text(high),
    'others ' || as_text(floor) || ' to ' || as_text(ceiling)) AS expected,
  concat_ws(', ', 'matched ' || as_text(round(matched, 2)), 'foreign buying ' || as_text(round(bought, 2)),
    'foreign selling ' || as_text(round(sold, 2)), 'deals ' || as_text(round(dealt, 2))) AS actual,
  CASE
    WHEN NOT matched_fits THEN matched - CASE WHEN matched < low THEN num(low) ELSE num(high) END
    WHEN NOT bought_fits THEN bought - CASE WHEN bought < floor THEN num(floor) ELSE num(ceiling) END
    WHEN NOT sold_fits THEN sold - CASE WHEN sold < floor THEN num(floor) ELSE num(ceiling) END
    WHEN NOT dealt_fits THEN dealt - CASE WHEN dealt < floor THEN num(floor) ELSE num(ceiling) END
  END AS residual,
  CASE
    WHEN NOT matched_fits OR NOT bought_fits OR NOT sold_fits THEN 'break'
    WHEN NOT dealt_fits OR NOT foreign_matched THEN 'soft'
    WHEN coalesce(matched, bought, sold, dealt) IS NOT NULL THEN 'pass'
  END AS result
FROM fit
UNION ALL
SELECT trading_date, 'market', 'market.candle', bar_key(symbol, timeframe, opened_at),
  as_text(low) || ' to ' || as_text(high), as_text(round(unit / multiplier, 2)),
  unit / multiplier - CASE WHEN unit < num(low) * multiplier THEN num(low) ELSE num(high) END,
  CASE
    WHEN unit BETWEEN num(low) * multiplier - slack AND num(high) * multiplier + slack THEN 'pass'
    ELSE 'break'
  END
FROM bar
