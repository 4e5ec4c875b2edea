import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { writeWholeFile } from '../home/files.js'
import { VIEW_NAME, viewFile } from './own-files.js'

/**
 * Writes a view to begin with, which binds as it is.
 *
 * @returns its file
 * @throws UsageError for a name that no view can have, or that a file has already
 */
export async function writeNewView(
  home: string,
  name: string,
  { disk }: Pick<Effects, 'disk'>,
): Promise<string> {
  if (!VIEW_NAME.test(name))
    throw new UsageError(`${JSON.stringify(name)} cannot be the name of a view`, {
      hint: 'use small letters, digits and _, a letter first: candlehouse mine new view my_stocks',
    })
  const file = join(home, viewFile(name))
  if (existsSync(file))
    throw new UsageError(`${file} exists already`, { hint: 'give another name, or edit that file' })
  const place = { mode: 0o644, folderMode: 0o755, hint: 'make the folder writable' }
  await writeWholeFile(file, sqlFile('mine/new_view.sql'), place, disk)
  return file
}
