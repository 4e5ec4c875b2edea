import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { FIRST_OWN_RULE } from '../audit/own-rule.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { writeWholeFile } from '../home/files.js'
import type { NewKind } from './new-kinds.js'
import { ownFile, readOwnFiles, requireOwnName } from './own-files.js'
import { ruleHeadOf } from './rule-head.js'

/**
 * Writes a file of the user's own to begin with, which works as it is: a watch with the name of a shipped one is that one.
 *
 * @returns its path
 * @throws UsageError for a name that it cannot have, or that a file has already
 */
export async function writeNewFile(
  home: string,
  kind: NewKind,
  name: string,
  { disk }: Pick<Effects, 'disk'>,
): Promise<string> {
  requireOwnName(kind, name)
  const file = join(home, ownFile(kind, name))
  if (existsSync(file))
    throw new UsageError(`${file} exists already`, { hint: 'give another name, or edit that file' })
  const place = { mode: 0o644, folderMode: 0o755, hint: 'make the folder writable' }
  const text = templateOf(kind, name)
  await writeWholeFile(file, kind === 'rule' ? numbered(text, home) : text, place, disk)
  return file
}

function templateOf(kind: NewKind, name: string): string {
  if (kind === 'page') return sqlFile('mine/new_page.md')
  const isShipped = kind === 'watch' && shippedWatches().includes(name)
  return sqlFile(isShipped ? `watches/${name}.sql` : `mine/new_${kind}.sql`)
}

/** Watches of the package: each works once its file is in the home. */
function shippedWatches(): string[] {
  return sqlFiles('watches').map((file) => file.slice(0, -'.sql'.length))
}

/** A rule with the first number that no other file has. */
function numbered(text: string, home: string): string {
  const heads = readOwnFiles(home, ['rule']).files.map((file) => ruleHeadOf(file.text))
  const taken = new Set(heads.flatMap((head) => ('number' in head ? [head.number] : [])))
  let number = FIRST_OWN_RULE
  while (taken.has(number)) number += 1
  return text.replace(`-- rule: ${FIRST_OWN_RULE}`, () => `-- rule: ${number}`)
}
