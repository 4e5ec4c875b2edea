-- Conditional orders whose status histories were asked for
-- writes: variable asked_histories
SET VARIABLE asked_histories = $orders::VARCHAR[];
