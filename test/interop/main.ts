/**
 * Proves that engines other than the writer's read the lake through its Delta logs, to the last digit: `make interop`.
 * DuckDB over the catalog and over files is what they are compared with. Exits with 1 on any difference. Names of
 * engines as arguments leave out the others. Spark, which takes seconds per table, is asked again only about tables whose log has
 * changed; `EVERY_TABLE=1` asks it about all in every state.
 */
import { join } from 'node:path'
import { listLog } from '../../src/lake/delta/delta-log.js'
import { lakeMarts, type Relation, relations } from '../../src/relations.js'
import { noteProgram, type Program } from './asked-programs.js'
import { differences } from './compare.js'
import { type Engine, type EngineKind, startEngine } from './engine.js'
import { availableEngines, excuse } from './engines.js'
import { AGAIN, copyWithoutEntries, makeHome, RESTATEMENT } from './home.js'
import type { Question } from './question.js'
import { openOracle, type Truth } from './truth.js'

interface Case {
  question: Question
  truth: Truth
}

interface Row {
  engine: string
  state: string
  tables: number
  known: number
  rows: number
  ok: boolean
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const results: Row[] = []
const known = new Set<string>()
/** By engine and relation, the log that it was last asked about. */
const logs = new Map<string, string>()
const folderOf = (lake: string, relation: string): string => join(lake, relation.replace('.', '/'))
const candles = 'market.candle'
/** Views that are tables of the lake too are asked like every relation: the catalog computes what they must have. */
const tables: readonly Relation[] = [...relations, ...lakeMarts]
/** Several files, of which readers skip some by statistics; truths, texts too long for a bound, columns of nulls. */
const probed = [
  candles,
  'market.price_limit',
  'market.daily_summary',
  'market.index_summary',
  'market.security',
  'market.index_member',
  'ops.publication',
  'mart.daily_adjusted',
  'mart.daily_factor',
  'mart.universe',
]

const home = makeHome()
const { found, missing, skipped } = availableEngines(process.argv.slice(2))
for (const kind of missing) noteProgram(programOf(kind), 'not installed')
const engines: Engine[] = []
try {
  for (const kind of found) {
    try {
      engines.push(await startEngine(kind))
      noteProgram(programOf(kind))
    } catch (problem) {
      const why = excuse(problem)
      if (!why) throw problem
      skipped.push(`${kind.name}: skipped, ${why}`)
      noteProgram(programOf(kind), why)
    }
  }

  say(line('engine', 'state', 'tables', 'known', 'rows', 'ok'))
  await home.nightly('2025-06-30')
  await everyEngine('first night', await currentCases())
  await home.nightly('2025-07-01')
  await everyEngine('month closed', await currentCases())
  await home.change(...RESTATEMENT)
  await home.publish()
  await everyEngine('restated', await currentCases())
  await everyEngine('skipping files', await probeCases())
  await everyEngine('version 0', await formerCases(0, candles, 'market.price_limit'))

  while (!(await checkpointed())) {
    await home.change(...AGAIN)
    await home.publish()
  }
  const cases = await currentCases()
  await everyEngine('checkpointed', cases)
  const copy = join(home.folder, 'copy')
  const names = tables.map(({ name }) => name.replace('.', '/'))
  const gone = await copyWithoutEntries(home.lake, copy, names)
  await everyEngine(`${gone} entries gone`, elsewhere(cases, copy))
  await everyEngine('version 10, gone', elsewhere(await formerCases(10, candles), copy))
} finally {
  for (const engine of engines) await engine.close()
  home.remove()
}

report()

/** The readers of ClickHouse are one program. */
function programOf({ name }: EngineKind): Program {
  return name.split(' ')[0] as Program
}

/** A version after the checkpoint, so that a reader needs it and what follows. */
async function checkpointed(): Promise<boolean> {
  const { entries, checkpoints } = listLog(folderOf(home.lake, candles))
  return (entries.at(-1) ?? 0) > (checkpoints.at(-1) ?? Number.POSITIVE_INFINITY)
}

function question(relation: string, truth: Truth, version: number | null = null): Question {
  const { columns } = truth
  return {
    relation,
    table: folderOf(home.lake, relation),
    catalog: home.catalog,
    version,
    columns,
    probes: [],
  }
}

async function currentCases(): Promise<Case[]> {
  return await withOracle(tables, async (oracle, relation) => {
    const truth = await oracle.current(relation)
    return { question: question(relation.name, truth), truth }
  })
}

async function probeCases(): Promise<Case[]> {
  return await withOracle(tablesNamed(probed), async (oracle, relation) => {
    const { columns, figures } = await oracle.current(relation)
    const { probes, counts } = await oracle.probes(relation, { columns, figures })
    const truth = { columns, figures: { ...figures, probes: counts } }
    return { question: { ...question(relation.name, truth), probes }, truth }
  })
}

async function formerCases(version: number, ...names: string[]): Promise<Case[]> {
  return await withOracle(tablesNamed(names), async (oracle, relation) => {
    const truth = await oracle.former(relation, folderOf(home.lake, relation.name), version)
    return { question: question(relation.name, truth, version), truth }
  })
}

function tablesNamed(names: readonly string[]): Relation[] {
  return tables.filter(({ name }) => names.includes(name))
}

async function withOracle(
  asked: readonly Relation[],
  work: (oracle: Awaited<ReturnType<typeof openOracle>>, relation: Relation) => Promise<Case>,
): Promise<Case[]> {
  const oracle = await openOracle(home.catalog)
  try {
    const cases: Case[] = []
    for (const each of asked) cases.push(await work(oracle, each))
    return cases
  } finally {
    oracle.close()
  }
}

/** The same questions of a copy of the lake. */
function elsewhere(cases: readonly Case[], lake: string): Case[] {
  return cases.map(({ question, truth }) => ({
    question: { ...question, table: folderOf(lake, question.relation), catalog: '' },
    truth,
  }))
}

async function everyEngine(state: string, cases: readonly Case[]): Promise<void> {
  for (const engine of engines) {
    const { catalogOnly, noFormer } = engine.kind
    const former = cases.some(({ question }) => question.version !== null)
    if (catalogOnly && cases.some(({ question }) => question.catalog === '')) continue
    if (catalogOnly === 'current' && former) continue
    if (noFormer && former) {
      skipped.push(`${engine.title}: ${state} skipped, ${noFormer}`)
      continue
    }
    const row: Row = { engine: engine.title, state, tables: 0, known: 0, rows: 0, ok: true }
    for (const { question, truth } of cases) {
      if (engine.kind.isSlow && (await isAnswered(engine, question))) continue
      const why = engine.kind.known?.(question.table)
      if (why) {
        row.known += 1
        known.add(`${engine.title}: known to fail, ${why}`)
        continue
      }
      row.ok = (await agrees(engine, state, question, truth)) && row.ok
      row.tables += 1
      row.rows += Number(truth.figures.rows)
    }
    results.push(row)
    sayRow(row)
  }
}

/** Whether an engine was asked about the current version of a table, by the same files of its log. */
async function isAnswered(
  { title }: Engine,
  { relation, table, version, probes }: Question,
): Promise<boolean> {
  if (process.env.EVERY_TABLE || version !== null || probes.length > 0) return false
  const key = `${title} ${relation}`
  const log = JSON.stringify(listLog(table))
  if (logs.get(key) === log) return true
  logs.set(key, log)
  return false
}

async function agrees(engine: Engine, state: string, question: Question, truth: Truth): Promise<boolean> {
  const where = `${engine.title}, ${state}, ${question.relation}`
  try {
    const figures = await engine.ask(question)
    const wrong = differences(question, truth.figures, figures, engine.kind.naming)
    for (const { column, what, expected, actual } of wrong) {
      say(`${where}.${column}: ${what} is ${actual}, expected ${expected}`)
    }
    return wrong.length === 0
  } catch (problem) {
    say(`${where}: ${problem instanceof Error ? problem.message : problem}`)
    return false
  }
}

/** At once: all states of all engines take half an hour on a busy machine. */
function sayRow({ engine, state, tables, known, rows, ok }: Row): void {
  say(line(engine, state, tables, known, rows, ok ? 'yes' : 'NO'))
}

function line(
  engine: string,
  state: string,
  tables: string | number,
  known: string | number,
  rows: string | number,
  ok: string,
): string {
  const tall = (value: string | number, width: number): string => value.toLocaleString('en').padStart(width)
  return `${engine.padEnd(28)}${state.padEnd(18)}${tall(tables, 7)}${tall(known, 7)}${tall(rows, 10)}  ${ok}`
}

function report(): void {
  for (const text of [...known, ...skipped]) say(text)
  if (results.length === 0 || results.some(({ ok }) => !ok)) process.exitCode = 1
}
