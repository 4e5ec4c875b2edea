import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { shownInstant } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { Command } from 'commander'
import type { Verification } from '../../read/index.js'
import { count } from '../render/table.js'
import { type Call, DAMAGED, type NewVerb } from '../verb.js'

export function lakeVerb(verb: NewVerb): Command {
  const verifyCommand = verb('verify', 'Check that a lake, or a copy of a lake, matches its manifest')
    .argument('[path]', 'folder of the lake, or s3://bucket/prefix (default: the lake in the home)')
    .reads(async (call, path: string | undefined) => {
      call.progress.phase('verify')
      const verification = await verify(call, path)
      call.progress.done()
      await call.answer(verification, () => renderVerification(verification))
      if (verification.findings.length > 0) call.endWith(DAMAGED)
    })
  const sweep = verb(
    'sweep',
    'Remove replaced files and log entries older than --retain, and leftovers of killed runs',
  )
    .retain()
    .writes(async (call) => {
      const { runSweep } = await import('../../run/verbs/sweep.js')
      const swept = await runSweep(call.settings, call)
      const retention = `replaced files are kept for ${call.settings.retainDays} days`
      await call.answer(swept, () =>
        [
          `${count(swept.files)} files and ${count(swept.logFiles)} log entries removed; ${retention}`,
          ...swept.notes,
        ].join('\n'),
      )
      call.endWith(swept.exitCode)
    })
  return new Command('lake')
    .description('Verify or clean up the Parquet files and their Delta logs')
    .addCommand(verifyCommand)
    .addCommand(sweep)
}

async function verify(call: Call, path: string | undefined): Promise<Verification> {
  const { settings, signal, effects, folder } = call
  const steps = { onTable: (name: string) => call.progress.advance(1, name), signal }
  if (!path?.startsWith('s3://')) {
    const { verifyLake } = await import('../../read/verify.js')
    return await verifyLake(path ? resolve(folder, path) : join(settings.home, 'lake'), steps)
  }
  const { bucketAccess } = await import('../../bucket/bucket-access.js')
  const { Bucket } = await import('../../bucket/bucket.js')
  const { verifyBucket } = await import('../../read/verify-bucket.js')
  const logs = mkdtempSync(join(tmpdir(), 'candlehouse-verify-'))
  try {
    return await verifyBucket(new Bucket(bucketAccess(path, settings.bucket), signal, effects), logs, steps)
  } finally {
    rmSync(logs, { recursive: true, force: true })
  }
}

function renderVerification(verification: Verification): string {
  const { lake, publication, publishedAt, tables, files, bytes, findings } = verification
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const head = `${lake}\npublication ${publication}, published at ${shownInstant(publishedAt)}: ${tables} tables, ${count(files)} files, ${size}`
  if (findings.length === 0) return `${head}\nevery file and log entry matches the manifest`
  return [
    head,
    '',
    ...findings.map(({ path, wrong }) => `  ${path}: ${wrong}`),
    '',
    counted(findings.length, 'finding'),
    '  if this is a copy: copy again, first data files, then logs, then manifest.json',
    '  if this is the original lake, of a home: candlehouse publish --deep',
  ].join('\n')
}
