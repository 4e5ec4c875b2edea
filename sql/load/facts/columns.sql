-- Returns the columns of a relation in their order: duckdb_columns() would describe all relations. Bound: its
-- name
SELECT name FROM pragma_table_info(?) ORDER BY cid;
