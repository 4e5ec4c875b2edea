export { type QueryResult, querySql, streamSql } from './catalog.js'
export { tableHashes } from './hash.js'
export { type DatasetStatus, readStatus, type Status } from './status.js'
