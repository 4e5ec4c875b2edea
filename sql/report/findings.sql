-- grain: one row per finding that the report shows: all of the day, and open breaks of earlier days
SELECT * FROM recon.finding
WHERE trading_date = $day OR state = 'break' AND accepted IS NULL AND trading_date < $day
