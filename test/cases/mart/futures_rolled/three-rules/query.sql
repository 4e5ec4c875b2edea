FROM mart.futures_rolled('volume', 'difference')
UNION ALL FROM mart.futures_rolled('open_interest', 'ratio')
UNION ALL FROM mart.futures_rolled('expiry', 'difference')
