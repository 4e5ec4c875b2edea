-- The standard normal distribution function, to 1e-14: Graeme West, "Better approximations to cumulative
-- normal functions" (Wilmott, 2005), after Hart (1968), algorithm 5666. DuckDB has no error function.
CREATE OR REPLACE MACRO mart.normal_cdf(x) AS (
  CASE
    WHEN abs(x) > 37 THEN CASE WHEN x > 0 THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END
    ELSE CASE WHEN x > 0 THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END + CASE WHEN x > 0 THEN -1 ELSE 1 END
      * exp(-x * x / 2) * CASE
        WHEN abs(x) < 7.07106781186547e0 THEN
          ((((((3.52624965998911e-2 * abs(x) + 0.700383064443688e0) * abs(x) + 6.37396220353165e0) * abs(x)
            + 33.912866078383e0) * abs(x) + 112.079291497871e0) * abs(x) + 221.213596169931e0) * abs(x)
            + 220.206867912376e0)
          / (((((((8.83883476483184e-2 * abs(x) + 1.75566716318264e0) * abs(x) + 16.064177579207e0) * abs(x)
            + 86.7807322029461e0) * abs(x) + 296.564248779674e0) * abs(x) + 637.333633378831e0) * abs(x)
            + 793.826512519948e0) * abs(x) + 440.413735824752e0)
        ELSE 1 / (abs(x) + 1 / (abs(x) + 2 / (abs(x) + 3 / (abs(x) + 4 / (abs(x) + 0.65e0)))))
          / 2.506628274631e0
      END
  END
);
COMMENT ON MACRO mart.normal_cdf IS
  'Standard normal distribution function of a DOUBLE: the probability of a value up to x, to 1e-14.';
