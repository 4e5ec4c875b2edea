-- Bars in which weights that fall by a factor per bar fall to 1e-30: what lies further back changes no digit.
-- Lengths begin with 2: of 1 a smoothed value would be the bar itself.
CREATE OR REPLACE MACRO mart.smoothing_block(decay) AS (
  CASE
    WHEN decay > 0 THEN greatest(CAST(floor(30 * ln(10) / -ln(decay)) AS BIGINT), 1)
    ELSE CAST(error('lengths of indicators begin with 2') AS BIGINT)
  END
);
COMMENT ON MACRO mart.smoothing_block IS
  'Bars in which weights that fall by a factor per bar fall to 1e-30; an error where it is not above 0.';
