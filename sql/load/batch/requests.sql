-- Pages of the batch → ops.request. Their runs count as not checked any more: the check did not see these
-- pages
-- reads: recorded_page
-- writes: ops.dirty_partition, ops.request, ops.run
INSERT INTO ops.request BY NAME SELECT * FROM recorded_page;

UPDATE ops.run SET judged_at = NULL
WHERE judged_at IS NOT NULL AND run_id IN (SELECT run_id FROM recorded_page);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.request', month_of_instant(received_at) FROM recorded_page;
