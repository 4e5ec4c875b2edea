export interface BucketAddress {
  readonly bucket: string
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string
}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[A-Za-z0-9._=/-]*)?$/

/**
 * The parts of `s3://bucket/prefix`; undefined for every other text. A prefix has only characters that need no encoding,
 * because Delta logs, catalog and SQL statements name it literally.
 */
export function bucketAddress(text: string): BucketAddress | undefined {
  const [, bucket, path = ''] = ADDRESS.exec(text) ?? []
  if (bucket === undefined) return undefined
  const parts = path.split('/').filter((part) => part !== '')
  if (parts.some((part) => part === '.' || part === '..')) return undefined
  return { bucket, prefix: parts.join('/') }
}

/** The address as readers write it, without a slash at its end. */
export function addressText({ bucket, prefix }: BucketAddress): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`
}
