-- grain: one row: what the catalog is made of, and the files it reads but for what every publication changes
SELECT mart.made_of() AS made_of, sha256(string_agg(file, ' ' ORDER BY relation, file)) AS files
FROM ops.lake_file
WHERE relation NOT IN ('ops.publication', 'ops.request', 'ops.run');
