FROM mart.foreign_ownership_between(DATE '2025-03-06', DATE '2025-03-07')
