import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { sqlFile } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import { OWN_NAME } from '../own-files.js'
import { pageFile } from './own-page-files.js'

/**
 * Writes a page to begin with, whose blocks run as they are.
 *
 * @returns its file
 * @throws UsageError for a name that no page can have, or that a file has already
 */
export async function writeNewPage(
  home: string,
  name: string,
  { disk }: Pick<Effects, 'disk'>,
): Promise<string> {
  if (!OWN_NAME.test(name))
    throw new UsageError(`${JSON.stringify(name)} cannot be the name of a page`, {
      hint: 'use small letters, digits and _, a letter first: candlehouse mine new page my_page',
    })
  const file = join(home, pageFile(name))
  if (existsSync(file))
    throw new UsageError(`${file} exists already`, { hint: 'give another name, or edit that file' })
  const place = { mode: 0o644, folderMode: 0o755, hint: 'make the folder writable' }
  await writeWholeFile(file, sqlFile('mine/new_page.md'), place, disk)
  return file
}
