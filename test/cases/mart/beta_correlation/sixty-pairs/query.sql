FROM mart.beta_correlation WHERE trading_date >= '2025-03-28' AND (index_code = 'VNINDEX' OR symbol = 'BBB')
