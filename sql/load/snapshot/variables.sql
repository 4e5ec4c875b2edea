-- Conditional orders whose status histories were asked for. Bound: the orders as a JSON array
-- writes: variable asked_histories
SET VARIABLE asked_histories = from_json(?, '["VARCHAR"]');
