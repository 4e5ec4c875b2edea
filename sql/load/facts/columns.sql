-- Returns the columns of a relation in their order; duckdb_columns() would read all relations. Bound: the
-- name of the relation
SELECT name FROM pragma_table_info(?) ORDER BY cid;
