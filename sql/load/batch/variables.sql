-- Variables that later steps read: the dataset, and the trading date of the batch
-- writes: variable as_of, variable dataset
SET VARIABLE dataset = $dataset;
SET VARIABLE as_of = $as_of::DATE;
