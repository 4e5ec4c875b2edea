-- Windows that were marked before there was a code get it. A migration of its own: DuckDB updates no table in the
-- transaction that has altered it.
UPDATE ops.coverage SET reason_code = 'summary_restated' WHERE reason = 'its daily summary was restated';
