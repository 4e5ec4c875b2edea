SELECT * EXCLUDE (latest_received_at, latest_published_at), mart.exchange_time(latest_received_at) AS received,
  mart.exchange_time(latest_published_at) AS published, days_to_next_expiry > 300000 AS is_far
FROM mart.freshness
