import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { openDatabase } from '../../../src/duckdb/open.js'
import { verifyLake } from '../../../src/read/index.js'
import { relations } from '../../../src/relations.js'
import {
  buildMarket,
  defaultSymbols,
  ODD_SYMBOLS,
  type RequestLog,
  type StandIn,
  startStandIn,
} from '../../standin/index.js'
import { deltaFiles, everAdded } from '../../support/delta.js'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Environment } from '../../support/program.js'
import { start, towards } from './cli.js'
import { hashes, restorableHashes } from './hashes.js'
import { HELD } from './nights.js'

const KILLER = ['--import', join(import.meta.dirname, 'killer.mjs')]

/** Tables of the lake that follow from views: of layout symbol, session and whole. */
const MARTS = ['daily_adjusted', 'universe', 'instrument']

/** The key whose session follows that of the first one. */
const SECOND = { apiKey: 'second-key-0002', apiSecret: 'second-secret-0002', otp: 'otp-of-second-0002' }

const TOML = `
[[accounts]]
name = "default"
api_key_env = "BROKER_API_KEY"
api_secret_env = "BROKER_API_SECRET"
otp_env = "BROKER_OTP"

[[accounts]]
name = "second"
api_key_env = "SECOND_KEY"
api_secret_env = "SECOND_SECRET"
otp_env = "SECOND_OTP"
`

/** Accounts are read with two keys, and marts are published: snapshots and marts are killed like everything else. */
function withAccounts(standIn: StandIn): Environment {
  return towards(standIn, {
    BROKER_OTP: standIn.otp,
    CANDLEHOUSE_LAKE_MARTS: MARTS.join(','),
    SECOND_KEY: SECOND.apiKey,
    SECOND_SECRET: SECOND.apiSecret,
    SECOND_OTP: SECOND.otp,
  })
}

/** Whether a request is of the second key: the first such comes at the hand-over of one session to the next. */
export function isOfSecondKey({ key }: RequestLog): boolean {
  return key === SECOND.apiKey
}

/** Live files of each mart by its Delta log, as other engines read it; files are named by what they hold. */
function martFiles(cwd: string): Record<string, string> {
  const files = (mart: string): string => deltaFiles(join(cwd, 'data/lake/mart', mart)).join(' ')
  return Object.fromEntries(MARTS.map((mart) => [`lake/mart/${mart}`, files(mart)]))
}

/** A service and a working folder, in which one night after another is killed. */
export interface Lane {
  standIn: StandIn
  /** Where the program runs: always the same path, since a catalog names files by absolute path. */
  cwd: string
  /** Copy of the folder as it stood before the night. */
  before: string
}

/**
 * A night on which everything happens: a month and a year close, a day of the month before is restated, a symbol is
 * gone, and the night before has already been published.
 */
export interface Night {
  /** A key has one active session, so nights side by side need a service each. */
  lanes: Lane[]
  args: string[]
  hashesBefore: Record<string, string>
  /** Hashes after a night that nothing disturbed. */
  undisturbed: Record<string, string>
  /** Files of the marts before the night, and after one that nothing disturbed. */
  marts: { before: Record<string, string>; after: Record<string, string> }
  /** Kinds of steps of that night, and how often each came. */
  steps: Map<string, number>
}

export async function prepareNight(laneCount: number): Promise<Night> {
  const args = ['nightly', '--date', '2025-02-03', '--sessions', '3']
  const lanes = await Promise.all(Array.from({ length: laneCount }, openLane))
  const [lane] = lanes
  if (!lane) throw new RangeError('a night needs a service')
  const hashesBefore = await restorableHashes(lane.cwd)
  const martsBefore = martFiles(lane.cwd)
  const trace = join(temporaryFolder(), 'trace')
  const env = { ...withAccounts(lane.standIn), KILLER_TRACE: trace }
  await expectDone(start(args, { cwd: lane.cwd, env, node: KILLER }).ended)
  requireMergedYear(lane.cwd)
  const steps = new Map<string, number>()
  for (const kind of readFileSync(trace, 'utf8').trim().split('\n'))
    steps.set(kind, (steps.get(kind) ?? 0) + 1)
  const marts = { before: martsBefore, after: martFiles(lane.cwd) }
  requireChangedMarts(marts)
  return { lanes, args, hashesBefore, undisturbed: await restorableHashes(lane.cwd), marts, steps }
}

/** @throws Error if the night left a mart as it was: a kill could not be seen in it */
function requireChangedMarts({ before, after }: Night['marts']): void {
  for (const name of Object.keys(after))
    if (!after[name] || !before[name] || after[name] === before[name])
      throw new Error(`the night changed nothing of ${name}: ${before[name]}`)
}

/** @throws Error if the night did not merge the months of 2024 */
function requireMergedYear(cwd: string): void {
  const files = readdirSync(join(cwd, 'data/lake/market/daily_summary/2024'))
  if (!files.some((file) => /^2024-[0-9a-f]{16}\.parquet$/.test(file)))
    throw new Error(`the night merged no year: ${files.join(', ')}`)
}

async function openLane(): Promise<Lane> {
  const sessions = ['2024-12-31', '2025-01-02', '2025-01-23', '2025-01-24', '2025-02-03']
  // In short the market has what the accounts hold, and two odd names.
  const symbols = defaultSymbols().filter(({ symbol }) => LONG || HELD.includes(symbol))
  const market = buildMarket({ sessions, symbols, extraSymbols: ODD_SYMBOLS.slice(0, 2) })
  const [cash, margin, derivative] = ['0691234561', '0691234566', '0691234568']
  const accounts = { ownAccounts: [cash, margin], keys: [{ ...SECOND, accounts: [margin, derivative] }] }
  const standIn = await startStandIn({ market, today: '2025-01-02', ...accounts })
  const [cwd, before] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(cwd, 'candlehouse.toml'), TOML)
  // One snapshot of the accounts is before the one that is killed.
  standIn.setOptions({ today: '2025-01-24' })
  const args = ['nightly', '--date', '2025-01-24', '--sessions', '18']
  await expectDone(cli(args, { cwd, env: withAccounts(standIn) }))
  cpSync(cwd, before, { recursive: true })
  standIn.setOptions({ today: '2025-02-03' })
  market.restate('FPT', '2025-01-24', { totalMatch: '1234500', totalMatchValue: '148140000000' })
  return { standIn, cwd, before }
}

/** Puts the lane back to where the night begins. */
function rewind({ cwd, before }: Lane): void {
  rmSync(join(cwd, 'data'), { recursive: true })
  cpSync(before, cwd, { recursive: true })
}

/** Where a night is killed: at the nth step of a kind. */
export interface Point {
  moment: 'before' | 'after'
  nth: number
  kind: string
}

/** What only reads, and what only describes, leaves nothing behind that a kill could break. */
const HARMLESS = /^sql (SELECT|WITH|COMMENT|SET |CREATE OR REPLACE TEMP|DROP TABLE)/
/** What makes something last: killed after it too. */
const DURABLE = /^(rename (session|raw|lake|manifest|catalog)|link|sql (COMMIT|CHECKPOINT|COPY))/
/** Of these, what is not followed at once by a step that is killed before. */
const LASTING = /^(link|rename catalog|sql COMMIT)/
/** What only prepares the steps that last, inside a transaction or a temporary file: the soak program kills there too. */
const PREPARING =
  /^(chmod|mkdir|rm |rename (session|logs|metrics)|sync|datasync|appendFile|writeFile|sql (INSERT|UPDATE|DELETE|BEGIN))/
/** Commits of Delta logs: killed halfway too, with some tables new and some old. */
const MANY = /^link/

/**
 * Before the first step of every kind; of what makes something last, after the last one too.
 *
 * @param perVerb kinds of one SQL verb (INSERT, DELETE …), which differ by what they write only, in one transaction
 */
export function boundaries(night: Night, perVerb: number): Point[] {
  const verbs = new Map<string, number>()
  return [...night.steps].flatMap(([kind, count]): Point[] => {
    if (HARMLESS.test(kind) || (Number.isFinite(perVerb) && PREPARING.test(kind))) return []
    const verb = kind.split(' ').slice(0, 2).join(' ')
    const seen = (verbs.get(verb) ?? 0) + 1
    verbs.set(verb, seen)
    if (kind.startsWith('sql ') && seen > perVerb) return []
    return [
      { moment: 'before', nth: 1, kind },
      ...(MANY.test(kind) ? [{ moment: 'before', nth: Math.ceil(count / 2), kind } as const] : []),
      ...((Number.isFinite(perVerb) ? LASTING : DURABLE).test(kind)
        ? [{ moment: 'after', nth: count, kind } as const]
        : []),
    ]
  })
}

/**
 * Kills the night at one step, looks at what analysts see then, and lets the same command run again.
 *
 * @returns what was wrong, or undefined
 */
export async function killAt(night: Night, lane: Lane, point: Point): Promise<string | undefined> {
  rewind(lane)
  return (
    (await endAt(night, lane, point)) ?? (await seenAfterKill(night, lane)) ?? (await recover(night, lane))
  )
}

/** Starts the night from where the lane stands, and kills it at one step; what was wrong, or undefined. */
async function endAt(night: Night, { cwd, standIn }: Lane, point: Point): Promise<string | undefined> {
  const env = { ...withAccounts(standIn), KILLER_AT: `${point.moment} ${point.nth} ${point.kind}` }
  const killed = await start(night.args, { cwd, env, node: KILLER }).ended
  return killed.signal === 'SIGKILL' ? undefined : `it was not reached: exit ${killed.code} ${killed.stderr}`
}

/**
 * Kills the night when its first request of a kind arrives, then each rerun at the next step, and lets the last one end.
 *
 * @returns what was wrong, or undefined
 */
export async function killAgainAndAgain(
  night: Night,
  lane: Lane,
  isOfKind: (request: RequestLog) => boolean,
  points: readonly Point[],
): Promise<string | undefined> {
  rewind(lane)
  let wrong = (await endAtRequest(night, lane, isOfKind)) ?? (await seenAfterKill(night, lane))
  for (const point of points)
    wrong ??= (await endAt(night, lane, point)) ?? (await seenAfterKill(night, lane))
  return wrong ?? (await recover(night, lane))
}

/** Starts the night from where the lane stands, and kills it when its first request of a kind arrives. */
async function endAtRequest(
  night: Night,
  { cwd, standIn }: Lane,
  isOfKind: (request: RequestLog) => boolean,
): Promise<string | undefined> {
  const running = start(night.args, { cwd, env: withAccounts(standIn) })
  standIn.onRequest = (_, request) => {
    if (isOfKind(request)) running.child.kill('SIGKILL')
  }
  const { signal } = await running.ended
  standIn.onRequest = undefined
  return signal === 'SIGKILL' ? undefined : 'no such request came'
}

/** Kills the night so many milliseconds after its start; it may have ended by then. */
export async function killAfter(night: Night, lane: Lane, ms: number): Promise<string | undefined> {
  rewind(lane)
  const running = start(night.args, { cwd: lane.cwd, env: withAccounts(lane.standIn) })
  const timer = setTimeout(() => running.child.kill('SIGKILL'), ms)
  await running.ended
  clearTimeout(timer)
  return (await seenAfterKill(night, lane)) ?? (await recover(night, lane))
}

/** Reads without a pause while a night runs; what was seen that is neither the state before nor the one after. */
export async function watch(night: Night, lane: Lane): Promise<{ reads: number; wrong: string[] }> {
  rewind(lane)
  const { cwd, standIn } = lane
  const states = [night.hashesBefore, night.undisturbed].map((state) => JSON.stringify(state))
  const seen = { reads: 0, wrong: [] as string[] }
  let running = true
  const ended = cli(night.args, { cwd, env: withAccounts(standIn) }).finally(() => {
    running = false
  })
  while (running) {
    seen.reads += 1
    const state = await restorableHashes(cwd).then(JSON.stringify, (error: Error) => error.message)
    if (!states.includes(state)) seen.wrong.push(state)
  }
  await expectDone(ended)
  return seen
}

/** Deletes everything but raw/, replays and publishes; what was wrong, or undefined. */
export async function rebuild(lane: Lane): Promise<string | undefined> {
  const { cwd, standIn } = lane
  const [before, requests] = [await hashes(cwd), standIn.requests.length]
  for (const entry of readdirSync(join(cwd, 'data')))
    if (entry !== 'raw') rmSync(join(cwd, 'data', entry), { recursive: true })
  for (const verb of ['replay', 'publish']) await expectDone(cli([verb], { cwd, env: withAccounts(standIn) }))
  const after = await hashes(cwd)
  const changed = Object.keys(before).filter((name) => after[name] !== before[name])
  if (changed.length > 0) return `${changed.join(', ')} differ after replay`
  return standIn.requests.length > requests ? 'the network was used' : undefined
}

/** What is wrong with what readers see after a kill: they see the state before the night, or the one after it. */
async function seenAfterKill(
  { hashesBefore, undisturbed, marts }: Night,
  { cwd }: Lane,
): Promise<string | undefined> {
  const seen = JSON.stringify(await restorableHashes(cwd))
  if (![hashesBefore, undisturbed].some((whole) => JSON.stringify(whole) === seen))
    return 'readers saw half a night'
  for (const [name, files] of Object.entries(martFiles(cwd)))
    if (![marts.before[name], marts.after[name]].includes(files)) return `${name} is half written: ${files}`
  const served = await damage(cwd)
  return served && `after the kill: ${served}`
}

/** Lets the same command run again; what is wrong then, or undefined. */
async function recover(night: Night, { cwd, standIn }: Lane): Promise<string | undefined> {
  const { undisturbed } = night
  const again = await cli(night.args, { cwd, env: withAccounts(standIn) })
  if (again.code !== 0) return `the rerun ended with ${again.code}: ${again.stderr}`
  const after = await restorableHashes(cwd)
  const changed = Object.keys(undisturbed).filter((name) => after[name] !== undisturbed[name])
  if (changed.length > 0) return `${changed.join(', ')} differ`
  const files = martFiles(cwd)
  const martsChanged = Object.keys(files).filter((name) => files[name] !== night.marts.after[name])
  if (martsChanged.length > 0) return `${martsChanged.join(', ')} differ`
  const left = orphans(join(cwd, 'data', 'lake'))
  if (left.length > 0) return `orphans: ${left.join(', ')}`
  return (await damage(cwd)) ?? (await unpublished(cwd))
}

/** Relations of which the warehouse holds other rows than the catalog shows: a change that nobody marked. */
async function unpublished(cwd: string): Promise<string | undefined> {
  const data = join(cwd, 'data')
  const warehouse = await openDatabase(join(data, 'warehouse.duckdb'), { readOnly: true })
  try {
    await warehouse.run(`ATTACH '${join(data, 'catalog.duckdb')}' AS published (READ_ONLY)`)
    for (const { name } of relations) {
      const stored = name === 'market.candle' ? 'WHERE NOT is_derived' : ''
      const rows = (from: string) =>
        `SELECT * ${name === 'market.candle' ? 'EXCLUDE (local_time)' : ''} FROM ${from} ${stored}`
      const [differ] = await warehouse.rows(
        `(FROM ${name} EXCEPT ALL ${rows(`published.${name}`)}) UNION ALL (${rows(`published.${name}`)} EXCEPT ALL FROM ${name}) LIMIT 1`,
      )
      if (differ) return `${name} is not published as it is held: ${JSON.stringify(differ)}`
    }
  } finally {
    warehouse.close()
  }
}

/** What readers of the manifest and of the Delta logs would miss. */
async function damage(cwd: string): Promise<string | undefined> {
  const steps = { onTable: () => undefined, signal: new AbortController().signal }
  const { findings } = await verifyLake(join(cwd, 'data', 'lake'), steps)
  return findings.length > 0 ? JSON.stringify(findings.slice(0, 3)) : undefined
}

/** Files of a lake that no entry of a log ever named, and temp files: what dead writers leave. */
function orphans(lake: string): string[] {
  return readdirSync(lake, { recursive: true, encoding: 'utf8' }).filter((file) => {
    if (file.endsWith('.tmp')) return true
    const [schema = '', relation = '', ...path] = file.split(sep)
    if (!file.endsWith('.parquet') || file.includes('_delta_log')) return false
    return !everAdded(join(lake, schema, relation)).has(path.join('/'))
  })
}

async function expectDone(ran: ReturnType<typeof cli>): Promise<void> {
  const { code, stderr } = await ran
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
}
