FROM mart.futures_rolled('expiry', 'ratio')
