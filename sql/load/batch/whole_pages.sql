-- grain: one row per record of the pages being read: pages of one spelling at once, each by DuckDB itself
-- maximum_object_size: each thread reads into twice as many bytes, which count against the limit of memory
-- reads: batch_page
-- writes: page_record
CREATE OR REPLACE TEMP VIEW page_record AS
SELECT page.*, unnest(file.$list) AS r, generate_subscripts(file.$list, 1) AS ordinal
FROM read_json($files, columns = {$list: $records}, format = 'unstructured', records = $has_envelope,
  filename = true, maximum_object_size = $most_bytes) file
JOIN batch_page page ON page.file = file.filename;
