-- Bars in which weights that fall by a factor per bar fall to 1e-30: what lies further back changes no digit.
-- Null where the factor is not above 0: mart.indicators refuses such lengths.
CREATE OR REPLACE MACRO mart.smoothing_block(decay) AS (
  CASE WHEN decay > 0 THEN greatest(CAST(floor(30 * ln(10) / -ln(decay)) AS BIGINT), 1) END
);
COMMENT ON MACRO mart.smoothing_block IS
  'Bars in which weights that fall by a factor per bar fall to 1e-30; null where it is not above 0.';
