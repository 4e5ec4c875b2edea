-- Returns whether a list of a later day was applied already: then this one changes only the history
-- reads: ops.coverage, variable as_of, variable dataset
SELECT coalesce(max(window_from) > getvariable('as_of'), false) AS is_later
FROM ops.coverage WHERE dataset = getvariable('dataset');
