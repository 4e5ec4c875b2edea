-- What every later step may ask for: dataset, and the trading date that the batch works for
-- writes: variable as_of, variable dataset
SET VARIABLE dataset = $dataset;
SET VARIABLE as_of = $as_of::DATE;
