-- grain: one row: the first day of the months whose coverage changed since it was published; null for none
SELECT min(CAST(left(partition || '-01-01', 10) AS DATE))
FROM ops.dirty_partition
WHERE relation = 'ops.coverage'
