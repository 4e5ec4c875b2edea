-- Returns the columns of a relation in their order. Bound: schema, table
SELECT column_name AS name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? ORDER BY column_index;
