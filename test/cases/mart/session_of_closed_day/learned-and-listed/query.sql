FROM mart.session_of_closed_day()
