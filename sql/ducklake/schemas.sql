-- grain: one row per schema; main, which is empty, must be there
-- Folders of schemas are beside each other in the lake. The ids of their tables give each schema one of its
-- own.
INSERT INTO ducklake.ducklake_schema
WITH named AS (
  SELECT schema_id, schema_name, md5(schema_name || min(table_uuid))::UUID AS schema_uuid
  FROM lake_table GROUP BY schema_id, schema_name
  UNION ALL
  SELECT 0, 'main', md5('main' || min(table_uuid))::UUID FROM lake_table
)
SELECT schema_id, schema_uuid, snapshot_id, NULL, schema_name, schema_name || '/', true
FROM named CROSS JOIN lake_snapshot
WHERE is_first;
