WITH bar AS (
  SELECT symbol, phase, CAST(exchange_time AS TIME) AS slot_starts, volume
  FROM mart.candle_session WHERE timeframe = '15m'
), minute_auction AS (
  SELECT symbol, phase, auction, sum(volume) AS volume
  FROM mart.candle_session WHERE timeframe = '1m' GROUP BY ALL
), profile_auction AS (
  SELECT symbol, phase, auction, sum(mean_volume) AS volume FROM mart.volume_profile GROUP BY ALL
)
SELECT profile.symbol, profile.phase, profile.slot_starts, sum(profile.mean_volume) AS mean_volume,
  any_value(bar.volume) AS bar_volume,
  (SELECT count(*) FROM minute_auction FULL JOIN profile_auction
    ON minute_auction.symbol = profile_auction.symbol AND minute_auction.phase = profile_auction.phase
      AND minute_auction.auction IS NOT DISTINCT FROM profile_auction.auction
    WHERE minute_auction.volume IS DISTINCT FROM profile_auction.volume) AS differences
FROM mart.volume_profile profile
FULL JOIN bar USING (symbol, phase, slot_starts)
GROUP BY ALL
