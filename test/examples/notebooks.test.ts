import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import type { Action } from '../../src/lake/delta/actions.js'
import { writeCheckpoint } from '../../src/lake/delta/checkpoint.js'
import { packageRoot } from '../../src/package.js'
import { deltaEntry } from '../support/delta.js'

const folder = join(packageRoot, 'examples/notebooks')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const pages = readdirSync(folder).filter((name) => name.endsWith('.ipynb'))

interface Cell {
  cell_type: 'markdown' | 'code'
  source: string[]
  outputs?: unknown[]
  execution_count?: number | null
}

const cellsOf = (page: string): Cell[] => (JSON.parse(read(page)) as { cells: Cell[] }).cells

const textOf = (page: string, kind: Cell['cell_type']): string =>
  cellsOf(page)
    .filter((cell) => cell.cell_type === kind)
    .map((cell) => cell.source.join(''))
    .join('\n\n')

/** The blocks that a page tells its reader to type into a shell. */
const shellBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^(`{3,})sh\n([\s\S]*?)^\1$/gm)].map(([, , block = '']) => block)

const cwd = mkdtempSync(join(tmpdir(), 'candlehouse-notebooks-'))
const home = join(cwd, 'home')
const env = { PATH: process.env.PATH, HOME: process.env.HOME, CANDLEHOUSE_HOME: home }
const run = promisify(execFile)

/** Types a block into a shell in which `candlehouse` is the built program. */
async function shell(block: string, at = cwd): Promise<string> {
  const candlehouse = `candlehouse() { '${process.execPath}' '${join(packageRoot, 'dist/src/main.js')}' "$@"; }`
  return (await run('sh', ['-ec', `${candlehouse}\n${block}`], { cwd: at, env })).stdout
}

beforeAll(async () => {
  await shell('candlehouse nightly --date 2025-06-30 --quiet')
})

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** What a notebook printed last beside what its own statement says: numbers may differ in the last digits of a DOUBLE. */
async function expectFigures(printed: string, markdown: string): Promise<void> {
  const figures = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
  const [row] = JSON.parse(await shell(shellBlocks(markdown).at(-1) ?? '')) as Record<string, unknown>[]
  expect(Object.keys(figures)).toEqual(Object.keys(row ?? {}))
  for (const [name, figure] of Object.entries(figures)) {
    if (typeof figure !== 'number') expect(figure, name).toBe(row?.[name])
    else expect(Math.abs(figure - Number(row?.[name])), name).toBeLessThanOrEqual(Math.abs(figure) * 1e-9)
  }
  // A comparison of nothing with nothing would hold too.
  const told = Object.values(figures).filter((figure) => figure && figure !== '0')
  expect(told.length, printed).toBeGreaterThanOrEqual(4)
}

const python = process.env.PYTHON || 'python3'

/** Why a script cannot run here: a module that it cannot do without and that this Python has not. */
function missing(script: string): string | undefined {
  const names = [...script.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name = '']) => name)
  const look =
    'import importlib.util, sys; print(*[n for n in sys.argv[1:] if not importlib.util.find_spec(n)])'
  const { status, stdout } = spawnSync(python, ['-c', look, ...names], { encoding: 'utf8' })
  if (status !== 0) return `there is no ${python}; PYTHON names another`
  return stdout.trim() && `${python} has no ${stdout.trim().replaceAll(' ', ', ')}; PYTHON names another`
}

async function runPython(script: string): Promise<string> {
  return (await run(python, ['-c', script], { cwd, env })).stdout
}

describe.each(pages)('%s', (page) => {
  test('is committed without outputs', () => {
    const code = cellsOf(page).filter((cell) => cell.cell_type === 'code')
    expect(code.flatMap((cell) => cell.outputs ?? ['no list'])).toEqual([])
    expect(code.filter((cell) => cell.execution_count !== null)).toEqual([])
  })

  test('says what the warehouse says', async ({ skip }) => {
    const script = textOf(page, 'code')
    const reason = missing(script)
    if (reason) return skip(reason)
    const markdown = textOf(page, 'markdown')
    for (const block of shellBlocks(markdown).slice(0, -1)) await shell(block)
    await expectFigures(await runPython(script), markdown)
  })
})

test('polars.ipynb says the same from exports, where deltalake is missing', async ({ skip }) => {
  const script = textOf('polars.ipynb', 'code')
  const reason = missing(script)
  if (reason) return skip(reason)
  const markdown = textOf('polars.ipynb', 'markdown')
  for (const block of shellBlocks(markdown).slice(0, -1)) await shell(block)
  const lake = join(home, 'lake')
  renameSync(lake, `${lake}.away`)
  const printed = await runPython(`import sys; sys.modules['deltalake'] = None\n${script}`).finally(() =>
    renameSync(`${lake}.away`, lake),
  )
  await expectFigures(printed, markdown)
})

describe('javascript.md', () => {
  const markdown = read('javascript.md')
  // What the README tells its reader to type; the cells find their packages in this repository.
  const program = shellBlocks(read('README.md')).find((block) => block.includes('javascript.md')) ?? ''

  test('says what the warehouse says', async () => {
    for (const block of shellBlocks(markdown).slice(0, -1)) await shell(block)
    await expectFigures(await shell(program, packageRoot), markdown)
  })

  test('says it too when the log begins with a checkpoint', async () => {
    const table = join(home, 'lake/market/daily_summary')
    const actions = deltaEntry(table, 0).filter((action) => !action.commitInfo)
    const database = await openDatabase(':memory:')
    await writeCheckpoint(database, table, 0, actions as Action[]).finally(() => database.close())
    rmSync(join(table, '_delta_log', `${'0'.repeat(20)}.json`))
    await expectFigures(await shell(program, packageRoot), markdown)
  })
})

test('the README names every notebook', () => {
  for (const page of [...pages, 'javascript.md']) expect(read('README.md')).toContain(`(${page})`)
})
