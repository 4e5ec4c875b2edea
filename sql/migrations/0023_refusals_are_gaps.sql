-- Earlier versions took every refusal for a limit. These windows are requested again, except where sql/load/batch/limits.sql
-- finds the limit. A migration of its own: DuckDB updates no table in the transaction that has altered it.
UPDATE ops.coverage SET
  state = 'incomplete', failed_runs = 1,
  reason_code = CASE WHEN starts_with(reason, '400') AND dataset NOT IN ('securities', 'indexes', 'indexMembers')
    THEN 'refusal' ELSE 'failed' END
WHERE state = 'refused';

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', strftime(window_from, '%Y-%m') FROM ops.coverage WHERE failed_runs = 1;
