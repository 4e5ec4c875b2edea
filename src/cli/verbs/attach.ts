import { resolve } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Command } from 'commander'
import { writeWholeFile } from '../../home/files.js'
import { count } from '../render/table.js'
import type { Call, NewVerb } from '../verb.js'

interface AttachOptions {
  lake: string
  out?: string
}

export function attachVerb(verb: NewVerb): Command {
  return verb(
    'attach',
    'Write a catalog for a lake under another path, or print the statements that read a lake in a bucket',
  )
    .requiredOption(
      '--lake <place>',
      'lake to attach: the folder that contains manifest.json, or s3://bucket/prefix',
    )
    .option(
      '--out <file>',
      'catalog to write, an existing catalog is replaced; of a bucket the file for the statements (default: they are printed)',
    )
    .reads(async (call, options: AttachOptions) => {
      if (options.lake.startsWith('s3://')) await attachBucketOf(call, options)
      else await attachFolder(call, options)
    })
}

async function attachFolder(call: Call, { lake, out }: AttachOptions): Promise<void> {
  if (out === undefined)
    throw new UsageError('--out is missing: the catalog to write', {
      hint: `candlehouse attach --lake ${lake} --out desk.duckdb`,
    })
  const { attachLake } = await import('../../read/attach.js')
  const attached = await attachLake(resolve(call.folder, lake), resolve(call.folder, out), call.effects)
  const { catalog, publication, relations, files } = attached
  await call.answer(
    attached,
    () =>
      `${catalog}: publication ${publication}, ${relations} relations over ${count(files)} files\nopen it read-only with any DuckDB client`,
  )
}

async function attachBucketOf(call: Call, { lake, out }: AttachOptions): Promise<void> {
  const { settings, signal, effects, folder } = call
  const { bucketAccess } = await import('../../bucket/bucket-access.js')
  const { Bucket } = await import('../../bucket/bucket.js')
  const { attachBucket } = await import('../../read/attach-bucket.js')
  const access = bucketAccess(lake, settings.bucket)
  const attached = await attachBucket(new Bucket(access, signal, effects), access)
  const { publication, relations, files, sql } = attached
  const head = `publication ${publication} of ${attached.lake}: ${relations} relations over ${count(files)} files`
  if (out === undefined) {
    await call.print(attached, `-- ${head}\n${sql}`)
    return
  }
  const file = resolve(folder, out)
  const options = { mode: 0o644, hint: 'choose another --out' }
  await writeWholeFile(file, `-- ${head}\n${sql}`, options, effects.disk)
  await call.answer({ ...attached, file }, () => `${file}: ${head}\nread it with: duckdb -init ${out}`)
}
