FROM mart.announced_year
WHERE year IN (1999, 2000, 2023, 2026, 2027, 2050)
