import type { Bucket } from '../bucket/bucket.js'
import type { BucketAccess } from '../bucket/bucket-access.js'
import { addressText } from '../bucket/bucket-address.js'
import { literal } from '../duckdb/sqlfile.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { manifestOf } from './verify-bucket.js'

/** What a reader of a lake in a bucket types; no secret is in it. */
export interface AttachedBucket {
  readonly lake: string
  readonly publication: number
  /** ISO 8601. */
  readonly publishedAt: string
  readonly relations: number
  readonly files: number
  /** Statements for DuckDB. */
  readonly sql: string
}

/**
 * Statements by which a DuckDB on any machine reads a lake in a bucket. The bucket is asked for its manifest, so that an
 * address without a lake is refused here.
 *
 * @throws BucketError if the bucket does not answer · StorageError if it has no lake
 */
export async function attachBucket(bucket: Bucket, access: BucketAccess): Promise<AttachedBucket> {
  const { publication, published_at, relations } = await manifestOf(bucket)
  return {
    lake: bucket.url,
    publication,
    publishedAt: published_at,
    relations: relations.length,
    files: relations.reduce((sum, { files }) => sum + files.length, 0),
    sql: readingStatements(access),
  }
}

/** As the reader types them: the keys are those of the reader's own environment. */
function readingStatements(access: BucketAccess): string {
  const url = addressText(access.address)
  return [
    '-- keys: those of this environment, or of a profile in ~/.aws',
    'INSTALL httpfs;',
    'INSTALL aws;',
    `CREATE OR REPLACE SECRET lake (${secretOptions(access).join(', ')});`,
    '',
    '-- every relation and the views of mart: the latest publication',
    `ATTACH ${literal(`${url}/catalog.duckdb`)} AS lake (READ_ONLY);`,
    '',
    '-- every table, also as former publications had it, with AT (VERSION => publication): DuckDB 1.5.2 and later',
    'INSTALL ducklake;',
    `ATTACH ${literal(`ducklake:${url}/${DUCKLAKE}`)} AS lake_history (READ_ONLY);`,
    '',
    '-- one table by its Delta log, as other engines read it',
    'INSTALL delta;',
    `CREATE OR REPLACE TEMP VIEW candle AS FROM delta_scan(${literal(`${url}/market/candle`)});`,
    '',
  ].join('\n')
}

function secretOptions({ region, endpoint }: BucketAccess): string[] {
  const options = ['TYPE s3', 'PROVIDER credential_chain', `REGION ${literal(region)}`]
  if (endpoint === undefined) return options
  const { protocol, host, pathname } = new URL(endpoint)
  const place = `${host}${pathname.replace(/\/$/, '')}`
  return [
    ...options,
    `ENDPOINT ${literal(place)}`,
    "URL_STYLE 'path'",
    ...(protocol === 'http:' ? ['USE_SSL false'] : []),
  ]
}
