FROM mart.gap_open WHERE symbol = 'AAA'
