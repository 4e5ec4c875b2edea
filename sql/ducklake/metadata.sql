-- grain: one row per fact about the whole catalog
INSERT INTO ducklake.ducklake_metadata (key, value)
VALUES
  ('version', '1.0'),
  ('created_by', $created_by),
  ('data_path', $data_path),
  ('encrypted', 'false'),
  ('candlehouse_source', $source);
