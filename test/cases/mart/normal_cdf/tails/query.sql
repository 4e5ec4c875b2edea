SELECT x, mart.normal_cdf(x) AS probability, mart.normal_cdf(-x) AS complement
FROM (VALUES (0.0::DOUBLE), (1.0), (1.96), (5.0), (8.0), (38.0)) value(x)
