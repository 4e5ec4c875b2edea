import { readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import type { Action } from '../../src/lake/delta/actions.js'
import { writeCheckpoint } from '../../src/lake/delta/checkpoint.js'
import { packageRoot } from '../../src/package.js'
import { deltaEntry } from '../support/delta.js'
import { temporaryFolder } from '../support/folder.js'
import {
  type Cell,
  cellsOf,
  exportsOf,
  folder,
  missingModules,
  NotebookMarket,
  notebooks,
  type Output,
  shellBlocks,
  textOf,
} from './market.js'

const market = new NotebookMarket()
const { home } = market
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

beforeAll(async () => await market.fill())
afterAll(() => market.close())

/**
 * What a notebook printed last, beside the result of its own statement: numbers may differ in the last digits of a
 * DOUBLE.
 */
async function expectFigures(printed: string, markdown: string, hint?: string): Promise<void> {
  const figures = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
  const [row] = JSON.parse(await warehouseAnswer(shellBlocks(markdown).at(-1) ?? '')) as Record<
    string,
    unknown
  >[]
  expect(Object.keys(figures)).toEqual(Object.keys(row ?? {}))
  for (const [name, figure] of Object.entries(figures)) {
    if (typeof figure !== 'number') expect(figure, hint ?? name).toBe(row?.[name])
    else
      expect(Math.abs(figure - Number(row?.[name])), hint ?? name).toBeLessThanOrEqual(
        Math.abs(figure) * 1e-9,
      )
  }
  // A comparison of nothing with nothing would hold too.
  const present = Object.values(figures).filter((figure) => figure && figure !== '0')
  expect(present.length, printed).toBeGreaterThanOrEqual(4)
}

const warehouseAnswers = new Map<string, Promise<string>>()

/** What the catalog answers: asked once, nothing is published meanwhile. */
async function warehouseAnswer(block: string): Promise<string> {
  const answer = warehouseAnswers.get(block) ?? market.shell(block)
  warehouseAnswers.set(block, answer)
  return await answer
}

/** Why the cells cannot run here: modules that they import at their top and that this Python does not have. */
function missing(script: string): string {
  return missingModules([...script.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name = '']) => name))
}

const ANEW = 'make notebooks executes the notebooks again'

const codeOf = (file: string): Cell[] => cellsOf(file).filter((cell) => cell.cell_type === 'code')

/** What a reader sees of an output, without the bytes of pictures. */
function seen({ output_type, text, data = {} }: Output): unknown {
  const { 'image/png': picture, ...texts } = data
  return { output_type, text, texts, picture: picture !== undefined }
}

describe.each(notebooks)('%s', (page) => {
  const stored = join(folder, page)

  test('has the outputs of all its cells in order, with pictures, in few bytes', () => {
    const code = codeOf(stored)
    expect(code.map((cell) => cell.execution_count)).toEqual(code.map((_, index) => index + 1))
    const outputs = code.flatMap((cell) => cell.outputs ?? [])
    expect(outputs.filter(({ data }) => data?.['image/png']).length).toBeGreaterThanOrEqual(1)
    expect(outputs.filter(({ output_type }) => output_type === 'error')).toEqual([])
    expect(statSync(stored).size).toBeLessThan(150_000)
    expect(read(page)).not.toMatch(/candlehouse-notebooks-|\/root\/|0x[0-9a-f]{6}/)
  })

  test('shows the figures of the market of the sandbox', async () => {
    const printed =
      codeOf(stored)
        .at(-1)
        ?.outputs?.flatMap(({ text = [] }) => text)
        .join('') ?? ''
    await expectFigures(printed, textOf(page, 'markdown'), ANEW)
  })

  test('computes what the warehouse has', async ({ skip }) => {
    const script = textOf(page, 'code')
    const reason = missing(script)
    if (reason) return skip(reason)
    for (const block of exportsOf(page)) await market.shell(block)
    await expectFigures(await market.python('-c', script), textOf(page, 'markdown'))
  })

  test('shows what Jupyter shows', async ({ skip }) => {
    const reason = missing(`${textOf(page, 'code')}\nimport nbclient\nimport ipykernel`)
    if (reason) return skip(reason)
    const executed = temporaryFolder()
    await market.execute([page], executed)
    const outputs = (file: string) => codeOf(file).map((cell) => cell.outputs?.map(seen))
    expect(outputs(stored), ANEW).toEqual(outputs(join(executed, page)))
  })
})

test('polars.ipynb computes the same from exports, where deltalake is missing', async ({ skip }) => {
  const script = textOf('polars.ipynb', 'code')
  const reason = missing(script)
  if (reason) return skip(reason)
  for (const block of exportsOf('polars.ipynb')) await market.shell(block)
  const lake = join(home, 'lake')
  renameSync(lake, `${lake}.away`)
  const printed = await market
    .python('-c', `import sys; sys.modules['deltalake'] = None\n${script}`)
    .finally(() => renameSync(`${lake}.away`, lake))
  await expectFigures(printed, textOf('polars.ipynb', 'markdown'))
})

describe('javascript.md', () => {
  const markdown = read('javascript.md')
  // The README's command; the cells find their packages in this repository.
  const program = shellBlocks(read('README.md')).find((block) => block.includes('javascript.md')) ?? ''

  test('computes what the warehouse has', async () => {
    for (const block of shellBlocks(markdown).slice(0, -1)) await market.shell(block)
    await expectFigures(await market.shell(program, packageRoot), markdown)
  })

  test('computes the same when the log begins with a checkpoint', async () => {
    const table = join(home, 'lake/market/daily_summary')
    const actions = deltaEntry(table, 0).filter((action) => !action.commitInfo)
    const database = await openDatabase(':memory:')
    await writeCheckpoint(database, table, 0, actions as Action[], systemEffects).finally(() =>
      database.close(),
    )
    rmSync(join(table, '_delta_log', `${'0'.repeat(20)}.json`))
    await expectFigures(await market.shell(program, packageRoot), markdown)
  })
})

test('the README names every notebook', () => {
  for (const page of [...notebooks, 'javascript.md']) expect(read('README.md')).toContain(`(${page})`)
})
