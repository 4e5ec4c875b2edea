FROM mart.daily_adjusted_by('all', 'share')
