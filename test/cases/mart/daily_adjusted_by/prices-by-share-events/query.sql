FROM mart.daily_adjusted_by('share', 'share') WHERE symbol = 'AAA'
