import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'

/** Files that write without `Effects.disk`, and why nothing of it must survive a kill or a power cut. */
const WRITERS: Readonly<Record<string, string>> = {
  'src/home/disk.ts': 'the port itself',
  'src/home/home.ts': 'temporary folders, what killed runs left in them, and the home as an empty folder',
  'src/load/stage-pages.ts': 'a temporary file that DuckDB reads in the same batch',
  'src/import/import-history.ts': 'a link in a temporary folder to the file of the user',
  'src/land/page-bytes.ts': 'copies of pages in a temporary folder, for DuckDB to read',
  'src/cli/verbs/lake.ts': 'a temporary folder',
  'src/read/verify-bucket.ts': 'copies of objects in a temporary folder',
  'packages/sandbox/src/command/request-log.ts': 'the log of the sandbox, which is not part of a home',
  'src/read/export/export.ts': 'files that the user asked for, renamed at the end',
  'src/read/export/placed.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/engine-writer.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/export-for.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/lean.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/nautilus.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/qlib.ts': 'files that the user asked for, renamed at the end',
  'src/read/backtest/zipline.ts': 'files that the user asked for, renamed at the end',
  'src/read/arrow/write.ts': 'a file that the user asked for',
  'src/read/xlsx/write.ts': 'a file that the user asked for',
  'src/console/browser.ts': 'a page that opens the browser',
  'src/console/server.ts': 'a temporary folder',
  'src/console/docs-site.ts': 'a copy of files of the package, to a folder that the user named',
  'src/console/downloads.ts': 'temporary files of downloads',
}

const WRITING =
  /^(write|writev|writeFile|appendFile|rename|rm|rmdir|unlink|mkdir|mkdtemp|link|symlink|copyFile|cp|chmod|fchmod|chown|truncate|ftruncate|fsync|fdatasync|utimes|createWriteStream)(Sync)?$/

const sources = filesIn(SOURCE_FOLDERS, '.ts').filter((path) => !path.startsWith('src/console/pages/'))

/** Functions of `node:fs` with which a text writes: those that it imports, and files that it does not open for reading. */
function writingOf(text: string): string[] {
  const imports = [...text.matchAll(/import ([^'"]*?) from 'node:fs(?:\/promises)?'/g)].map(
    ([, clause = '']) => clause,
  )
  if (imports.some((clause) => !clause.startsWith('{'))) return ['all of node:fs']
  const names = imports.flatMap((clause) => clause.replace(/[{}]/g, '').split(',')).map((name) => name.trim())
  const opened = names.filter((name) => /^open(Sync)?$/.test(name))
  const opens =
    opened.length === 0 ? [] : [...text.matchAll(/(?<![.\w])open(?:Sync)?\([^()]*, '(?!r')[^']*'/g)]
  return [...names.filter((name) => WRITING.test(name)), ...opens.map(([call]) => call)]
}

test.each([
  ["import { existsSync, renameSync } from 'node:fs'", ['renameSync']],
  ["import {\n  readFile,\n  rm,\n} from 'node:fs/promises'", ['rm']],
  ["import fs from 'node:fs'", ['all of node:fs']],
  ["import { openSync } from 'node:fs'\nopenSync(file, 'r')", []],
  ["import { open } from 'node:fs/promises'\nopen(file, 'a', 0o600)", ["open(file, 'a'"]],
])('what writes is recognised: %s', (text, writing) => {
  expect(writingOf(text)).toEqual(writing)
})

test('what must survive a kill is written through Effects.disk', () => {
  const writers = sources.filter(
    (path) => writingOf(readFileSync(join(packageRoot, path), 'utf8')).length > 0,
  )
  expect(writers.sort()).toEqual(Object.keys(WRITERS).sort())
})

test('timers and requests come from Effects', () => {
  const own = ['packages/foundation/src/effects.ts', 'src/cli/process.ts']
  const others = sources.filter(
    (path) =>
      !own.includes(path) &&
      /\bset(Timeout|Interval)\(|AbortSignal\.timeout\(|(?<![.\w#])fetch\(/.test(
        readFileSync(join(packageRoot, path), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, ''),
      ),
  )
  expect(others.map((path) => `${path} starts timers or requests: take them from Effects`)).toEqual([])
})
