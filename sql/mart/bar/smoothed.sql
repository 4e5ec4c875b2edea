-- A smoothed value from two sums of mart.indicators: of its block, and of the block before.
-- Both are sums of values over the weight that they have at the beginning of their block; step counts the
-- bars since then.
CREATE OR REPLACE MACRO mart.smoothed(block_sum, sum_before, decay, step) AS (
  decay ** step * (block_sum + decay ** mart.smoothing_block(decay) * coalesce(sum_before, 0))
);
COMMENT ON MACRO mart.smoothed IS
  'A smoothed value from two sums of mart.indicators: of its block of bars, and of the block before.';
