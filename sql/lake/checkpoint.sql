-- grain: one row per action; a Delta checkpoint from lines of JSON, one of its structs filled in each row
SELECT txn, add, remove, "metaData", protocol
FROM read_json($lines, format = 'newline_delimited', columns = {
  txn: 'STRUCT("appId" VARCHAR, version BIGINT, "lastUpdated" BIGINT)',
  add: 'STRUCT(path VARCHAR, "partitionValues" MAP(VARCHAR, VARCHAR), size BIGINT, "modificationTime" BIGINT,
    "dataChange" BOOLEAN, stats VARCHAR)',
  remove: 'STRUCT(path VARCHAR, "deletionTimestamp" BIGINT, "dataChange" BOOLEAN,
    "extendedFileMetadata" BOOLEAN, "partitionValues" MAP(VARCHAR, VARCHAR), size BIGINT)',
  "metaData": 'STRUCT(id VARCHAR, name VARCHAR, description VARCHAR,
    format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), "schemaString" VARCHAR,
    "partitionColumns" VARCHAR[], "createdTime" BIGINT, configuration MAP(VARCHAR, VARCHAR))',
  protocol: 'STRUCT("minReaderVersion" INTEGER, "minWriterVersion" INTEGER)'
})
