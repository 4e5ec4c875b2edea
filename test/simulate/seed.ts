import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { sessionOf } from '../e2e/proportion/support/world.js'
import { seeded } from '../e2e/support/seeded.js'
import { hideSymbol, omitSummaries, position } from '../standin/index.js'
import type { Ran } from '../support/program.js'
import { refusal } from './disk.js'
import { type Expected, expectedOf, type Touch } from './expected.js'
import { told } from './fields.js'
import { type Disturbance, drawOf, type Plan } from './plan.js'
import { differences, type Published, publishedIn, type Row, shown } from './published.js'
import { happened } from './situations.js'
import { comparedRows, falseValues } from './truth.js'
import type { Undisturbed } from './undisturbed.js'
import { World } from './world.js'

export interface Outcome {
  /** What was wrong, one line each; empty where the program kept its promises. */
  readonly failures: readonly string[]
  readonly nights: number
}

const MOST_REQUESTS = 900
const LONGEST_MS = 4 * 3_600_000

/** Runs the world of a plan: its nights, then at most two that nothing disturbs. */
export async function runPlan(
  plan: Plan,
  undisturbed: Undisturbed,
  root: string,
  trace: (line: string) => void,
): Promise<Outcome> {
  const world = await World.open({ root, seed: plan.seed, accounts: plan.accounts, trace })
  const failures: string[] = []
  const lasting: Touch[] = []
  let night = plan.before
  try {
    undisturbed.copyTo(world.cwd, plan.before)
    for (const disturbances of plan.nights) {
      night++
      const wrong = await evening(world, night, disturbances, undisturbed, lasting)
      if (wrong.length === 0) continue
      failures.push(...wrong.map((line) => `night ${night} ${JSON.stringify(disturbances)}: ${line}`))
      return { failures, nights: night - plan.before }
    }
    failures.push(...(await recovery(world, night, undisturbed, lasting)))
    failures.push(...secretsIn(world))
  } catch (error) {
    failures.push(`night ${night}: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    await world.close()
  }
  return { failures, nights: night - plan.before }
}

/** Once faults stop, two nights bring everything back. */
async function recovery(
  world: World,
  last: number,
  undisturbed: Undisturbed,
  lasting: readonly Touch[],
): Promise<string[]> {
  for (let night = last + 1; night <= last + 2; night++) {
    world.turn(night)
    const ran = await world.night()
    world.options.trace(`night ${night}: exit ${ran.code}, nothing disturbs it`)
    const wrong =
      ran.code === 0 ? await undue(world, night, undisturbed, lasting) : [`exit ${ran.code}: ${said(ran)}`]
    if (wrong.length === 0) {
      happened(`healed by the ${night === last + 1 ? 'first' : 'second'} healthy night`)
      return []
    }
    if (night === last + 2) return wrong.map((line) => `two nights after the last fault: ${line}`)
  }
  return []
}

async function undue(
  world: World,
  night: number,
  undisturbed: Undisturbed,
  touches: readonly Touch[],
): Promise<string[]> {
  const published = await publishedIn(world.cwd)
  const wrong = falseValues(published, [world.standIn.market]).slice(0, 5)
  if (comparedRows(published) === 0) wrong.push('nothing could be compared with what the service served')
  const all = differences(undisturbed.rows(night), published)
  return [...wrong, ...shown(all.filter((each) => !touches.some((touch) => touch(each))))]
}

/** One night with its disturbances. @returns what is wrong */
async function evening(
  world: World,
  night: number,
  disturbances: readonly Disturbance[],
  undisturbed: Undisturbed,
  lasting: Touch[],
): Promise<string[]> {
  world.turn(night)
  const before = await publishedIfAny(world.cwd)
  const prepared = new Set<Disturbance>()
  for (const each of disturbances) {
    if (each.kind === 'typed') {
      const wrong = await typed(world, each.line, before)
      if (wrong.length > 0) return wrong
      prepared.add(each)
    }
    if (each.kind === 'file' && damageFile(world, each)) prepared.add(each)
    if (each.kind === 'restated') {
      const changes = restated(world, each, sessionOf(night - 1))
      if (changes) prepared.add(each)
    }
    if (each.kind === 'advice') {
      const wrong = await advised(world, before)
      if (wrong.length > 0) return wrong
    }
  }
  const effect = new Effect(world, night, disturbances, undisturbed.steps(night))
  const reader = disturbances.some(({ kind }) => kind === 'reader') ? await openReader(world.cwd) : undefined
  let ran = await world.night()
  const ended = [ran.code]
  if (world.isKilled) {
    for (const kind of ['kill', 'power cut'] as const)
      if (disturbances.some((each) => each.kind === kind)) effect.hit.add(kind)
    world.revive()
    world.onStep = undefined
    const isPower = disturbances.some(({ kind }) => kind === 'power cut')
    happened(`${isPower ? 'power cut' : 'killed'} at ${effect.killedAt}`)
    if (world.wasKilled) happened('killed two nights in a row')
    world.options.trace('the same command again')
    ran = await world.night()
    ended.push(ran.code)
  }
  effect.end()
  const seen = (await reader?.()) ?? []
  world.options.trace(`night ${night}: exit ${ended.join(', then ')}`)
  const hits = disturbances.filter((each) => effect.hit.has(each.kind) || prepared.has(each))
  for (const each of hits) happened(`${titleOf(each)}, exit ${ran.code}`)
  world.wasKilled = ended.length > 1
  const expected = hits.map((each) => expectedOf(each, night, world.options.accounts))
  const wrong = [...codeIsWrong(ran, expected), ...boundsOf(world, ran), ...seen]
  for (const each of expected) if (each.lasting) lasting.push(each.lasting)
  const costs = expected.flatMap((each) => each.touches ?? [])
  // What the night before left is healed by a night without a fault, or by one whose fault is elsewhere: the first is asserted.
  const touches = [...costs, ...(ran.code === 0 ? [] : world.unhealed), ...lasting]
  world.unhealed = ran.code === 0 ? [] : [...world.unhealed, ...costs]
  // A night after one that ended early requests its sessions too.
  if (world.endedEarly && expected.some(({ codes }) => codes.some((code) => code > 0)))
    touches.push(() => true)
  world.endedEarly = isEarly(ran.code)
  const published = await publishedIfAny(world.cwd)
  // A night that ended early may not have come to what the service has changed.
  if (published)
    wrong.push(...falseValues(published, [world.standIn.market, ...world.formerMarkets]).slice(0, 5))
  if (published && before) wrong.push(...lostValues(before, published, world.restated))
  if (!isEarly(ran.code))
    wrong.push(...(published ? await undue(world, night, undisturbed, touches) : ['nothing is published']))
  return wrong.length > 0 ? [`exit ${ended.join(', ')}`, ...wrong, said(ran)] : []
}

/** Whether a night ended before it had requested everything. */
const isEarly = (code: number | null): boolean => code === null || code === 3 || code === 2 || code >= 5

/** Where the summaries of all symbols fail, nothing is said of one of them. */
const OF_ALL_SUMMARIES = String(/securitiesSummary|summar/)

function codeIsWrong(ran: Ran, expected: readonly Expected[]): string[] {
  const most = Math.max(0, ...expected.map(({ codes }) => Math.min(...codes)))
  // What ends a night ends it, whatever else there was; 4 is more than 0.
  const allowed = new Set(
    expected.flatMap(({ codes }) => codes).filter((code) => code >= most || (code > 0 && code !== 4)),
  )
  if (expected.length === 0) allowed.add(0)
  if (!allowed.has(ran.code ?? 1)) return [`exit ${ran.code} where ${[...allowed].join(' or ')} is due`]
  if (ran.code !== 4) return []
  const isWhole = expected.some(({ names }) => String(names) === OF_ALL_SUMMARIES)
  return expected.flatMap(({ names, codes }) =>
    names &&
    !(isWhole && String(names) !== OF_ALL_SUMMARIES) &&
    Math.min(...codes) === 4 &&
    !names.test(said(ran))
      ? [`not named: ${names}`]
      : [],
  )
}

function boundsOf(world: World, ran: Ran): string[] {
  const requests = world.standIn.requests.length
  world.standIn.requests.length = 0
  const wrong = requests > MOST_REQUESTS ? [`${requests} requests in one night`] : []
  const took = world.tookMs
  if (took > LONGEST_MS) wrong.push(`the night took ${Math.round(took / 60_000)} minutes`)
  if (ran.code === 1) wrong.push('exit 1: a bug of the program')
  return wrong
}

/** What a run says, without its tables. */
function said(ran: Ran): string {
  try {
    const {
      datasets = [],
      notes = [],
      conclusion,
      checks,
      error,
    } = ran.json<{
      datasets?: { dataset: string; missing: string[] }[]
      notes?: string[]
      conclusion?: unknown
      checks?: { withheld: unknown[]; breaks: { severity: string }[] }
      error?: unknown
    }>()
    const missing = datasets.flatMap((each) => each.missing.map((line) => `${each.dataset} ${line}`))
    const errors = checks?.breaks.filter(({ severity }) => severity === 'error') ?? []
    return [
      ...missing,
      ...notes,
      JSON.stringify([conclusion ?? null, checks?.withheld ?? [], errors, error ?? null]),
    ].join('\n')
  } catch {
    return ran.stderr || ran.stdout.slice(0, 500)
  }
}

async function publishedIfAny(cwd: string): Promise<Published | undefined> {
  return await publishedIn(cwd).catch(() => undefined)
}

/** A command that changes nothing of what is published. */
async function typed(world: World, line: string, before: Published | undefined): Promise<string[]> {
  const ran = await world.type(line.split(' '))
  happened(`typed ${line}, exit ${ran.code}`)
  if (ran.code === 1) return [`${line}: exit 1: ${ran.stderr}`]
  if (!before) return []
  const after = await publishedIfAny(world.cwd)
  if (!after) return [`${line}: nothing is published any more`]
  // A command may find what a night before had left.
  const gone = lostValues(before, after, world.restated)
  return gone.map((each) => `${line}: ${each}`)
}

const FACTS = ['market.daily_summary', 'market.index_summary', 'market.price_limit', 'market.candle']
const KEYS = ['symbol', 'index_code', 'timeframe', 'trading_date', 'opened_at']
const keyOf = (row: Row): string => KEYS.map((name) => row[name] ?? '').join(' ')

/** Values that were published and are not any more, though the service never withdrew them. */
function lostValues(before: Published, after: Published, restated: ReadonlySet<string>): string[] {
  return FACTS.flatMap((relation) => {
    const now = new Map([...(after.get(relation)?.values() ?? [])].map((row) => [keyOf(row), row]))
    return [...(before.get(relation)?.values() ?? [])].flatMap((row) => {
      if (
        restated.has(`${row.symbol} ${row.trading_date}`) ||
        (restated.size > 0 && relation === 'market.index_summary')
      )
        return []
      const other = now.get(keyOf(row))
      if (!other) return [`${relation} ${keyOf(row)} was published, and is gone`]
      return Object.entries(row).flatMap(([name, value]) =>
        value === null || other[name] === value || name === 'is_current'
          ? []
          : [`${relation} ${keyOf(row)}: ${name} was ${value}, and is ${other[name]}`],
      )
    })
  }).slice(0, 6)
}

/** What the disturbances of a night do to the world while it runs. */
class Effect {
  readonly hit = new Set<Disturbance['kind']>()
  killedAt = ''
  readonly #undo: (() => void)[] = []

  constructor(
    private readonly world: World,
    night: number,
    disturbances: readonly Disturbance[],
    steps: number,
  ) {
    const { standIn } = world
    let requests = 0
    const waits: ((nth: number) => { delayMs?: number; isRefused?: boolean } | undefined)[] = []
    for (const each of disturbances) {
      switch (each.kind) {
        case 'window': {
          const { window, kind, times } = drawOf(each)
          const match = { path: window.path, ...(window.where && { where: window.where }) }
          standIn.setOptions({ faults: [{ ...kind.damage, match, times } as never] })
          break
        }
        case 'field':
          standIn.setOptions({
            mutateRow: (dataset, row) => {
              if (dataset !== each.dataset) return row
              const value = row[each.field]
              if (value !== undefined && value !== null && value !== '') this.hit.add('field')
              return told(row, each.field, each.manner)
            },
          })
          break
        case 'omitted':
          this.hit.add('omitted')
          this.#undo.push(omitSummaries(standIn.market, sessionOf(night), each.symbol))
          break
        case 'kill':
        case 'power cut': {
          const at = Math.ceil(each.share * steps)
          const chance = seeded(world.options.seed + night)
          world.onStep = ({ kind, what, nth }) => {
            if (nth < at) return
            this.killedAt = kind === 'statement' || kind === 'disk' ? `${kind} ${what.split(' ')[0]}` : kind
            world.kill(each.kind === 'power cut' ? chance : undefined)
          }
          break
        }
        case 'disk': {
          const at = Math.ceil(each.share * steps)
          let left = each.times
          world.onStep = ({ kind, what, nth }) => {
            if (nth < at || kind !== 'disk' || left === 0) return
            left--
            this.hit.add('disk')
            const [operation = '', path = ''] = what.split(' ')
            throw refusal(each.code, { moment: 'before', kind: operation as never, path })
          }
          break
        }
        case 'hidden':
          this.hit.add('hidden')
          this.#undo.push(hideSymbol(standIn.market, each.symbol))
          break
        case 'bad value':
          standIn.setOptions({
            mutateRow: (dataset, row) => {
              const isIt = dataset === 'securitiesSummary' && row.symbol === each.symbol
              if (!isIt || String(row.tradingDate).replaceAll('/', '-') !== sessionOf(night)) return row
              this.hit.add('bad value')
              return { ...row, [each.field]: each.value }
            },
          })
          break
        case 'rate limit':
          this.hit.add('rate limit')
          standIn.setOptions({
            rateLimit: { limit: each.limit, windowMs: 1000, reset: 'delta', retryAfter: each.retryAfter },
          })
          break
        case 'reader':
          this.hit.add('reader')
          break
        case 'session lost':
        case 'token expired':
          standIn.onRequest = () => {
            if (++requests !== each.nth) return
            this.hit.add(each.kind)
            if (each.kind === 'session lost') standIn.revokeSession()
            else standIn.expireToken()
          }
          break
        case 'outage': {
          let until = 0
          waits.push((nth) => {
            if (nth === each.nth) until = world.scheduler.now + each.seconds * 1000
            if (nth < each.nth || world.scheduler.now >= until) return undefined
            this.hit.add('outage')
            return { isRefused: true }
          })
          break
        }
        case 'slow':
          waits.push((nth) => {
            if (nth < each.nth || nth >= each.nth + 10) return undefined
            this.hit.add('slow')
            return { delayMs: each.seconds * 1000 }
          })
          break
        case 'clock':
          this.hit.add('clock')
          world.clockErrorMs = each.hours * 3_600_000
          break
        case 'odd holding': {
          const { accounts, positions } = standIn.accounts
          const holding = position(accounts[0]?.accountNo ?? '', each.symbol, 200, 10_000)
          positions.push(holding)
          this.hit.add('odd holding')
          this.#undo.push(() => positions.splice(positions.indexOf(holding), 1))
          break
        }
        case 'typed':
        case 'file':
        case 'restated':
        case 'advice':
      }
    }
    let sent = 0
    world.onWay = () => {
      sent++
      return waits.map((wait) => wait(sent)).find((way) => way !== undefined)
    }
  }

  end(): void {
    const { standIn } = this.world
    if (standIn.requests.some(({ fault }) => fault !== undefined)) this.hit.add('window')
    standIn.setOptions({ faults: [], mutateRow: undefined, rateLimit: undefined })
    standIn.onRequest = undefined
    this.world.onStep = undefined
    this.world.onWay = undefined
    this.world.clockErrorMs = 0
    for (const undo of this.#undo) undo()
  }
}

/** Holds the catalog open. @returns what ends it, and says what differs for the reader */
async function openReader(cwd: string): Promise<(() => Promise<string[]>) | undefined> {
  const file = join(cwd, 'data/catalog.duckdb')
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' }).catch(
    () => undefined,
  )
  if (!instance) return undefined
  const connection = await instance.connect()
  const count = async (): Promise<string> => {
    const reader = await connection.runAndReadAll(
      'SELECT count(*), sum(total_match), max(trading_date) FROM market.daily_summary',
    )
    return JSON.stringify(reader.getRowsJson())
  }
  const before = await count()
  return async () => {
    const after = await count().catch((error: Error) => error.message)
    connection.closeSync()
    instance.closeSync()
    return after === before ? [] : [`a reader who holds the catalog sees ${after} after ${before}`]
  }
}

/** @returns whether there was such a record */
function restated(
  world: World,
  { symbol, matched }: Extract<Disturbance, { kind: 'restated' }>,
  day: string,
): boolean {
  const { market } = world.standIn
  const row = market.summaries.find(
    (each) => each.symbol === symbol && each.tradingDate.replaceAll('/', '-') === day,
  )
  if (!row || Number(row.totalMatch) === matched) return false
  const { summaries, indexSummaries, masterdata, daily, minutes } = market
  const former = structuredClone({ summaries, indexSummaries, masterdata, daily, minutes })
  world.formerMarkets.push({ ...market, ...former })
  const value = String(Math.round(matched * Number(row.average)))
  market.restate(symbol, day, { totalMatch: String(matched), totalMatchValue: value })
  world.restated.add(`${symbol} ${day}`)
  return true
}

/** Types the commands that the conclusion of the last run advises. */
async function advised(world: World, before: Published | undefined): Promise<string[]> {
  const status = await world.type(['status', '--json'])
  const { conclusion } = status.json<{ conclusion?: { next?: { command: string }[] } }>()
  for (const { command } of conclusion?.next ?? []) {
    const line = command.replace(/^candlehouse /, '')
    if (/^(doctor|login)/.test(line)) continue
    const wrong = await typed(world, line, before)
    if (wrong.length > 0) return wrong
    happened(`advised ${line.split(' ')[0]}`)
  }
  return []
}

/** @returns whether there was such a file */
function damageFile(world: World, { where, how }: Extract<Disturbance, { kind: 'file' }>): boolean {
  const home = join(world.cwd, 'data')
  const file = {
    catalog: () => 'catalog.duckdb',
    manifest: () => 'lake/manifest.json',
    conclusion: () => 'logs/conclusion.json',
    lake: () =>
      filesIn(home)
        .filter((each) => each.startsWith('lake/') && each.endsWith('.parquet'))
        .sort()
        .at(world.options.seed % 7),
  }[where]()
  if (!file) return false
  const path = join(home, file)
  try {
    const { size } = statSync(path)
    if (how === 'gone') rmSync(path)
    else if (how === 'cut') truncateSync(path, Math.floor(size / 2))
    else {
      const bytes = readFileSync(path)
      const at = Math.floor(size / 2)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      writeFileSync(path, bytes)
    }
  } catch {
    return false
  }
  world.options.trace(`${file} is ${how}`)
  return true
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch {
    return []
  }
}

/** A disturbance without its figures. */
function titleOf(disturbance: Disturbance): string {
  switch (disturbance.kind) {
    case 'window':
      return `window ${disturbance.damage}`
    case 'file':
      return `file ${disturbance.where} ${disturbance.how}`
    case 'disk':
      return `disk ${disturbance.code}`
    case 'field':
      return `field ${disturbance.dataset} ${disturbance.manner}`
    default:
      return disturbance.kind
  }
}

/** No secret stands in a file of the home but the session's own. */
function secretsIn(world: World): string[] {
  const { secrets } = world
  return filesIn(world.cwd).flatMap((file) => {
    if (/(^|\/)session[^/]*$/.test(file)) return []
    const bytes = readFileSync(join(world.cwd, file))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    const found = secrets.find((secret) => text.includes(secret))
    return found === undefined ? [] : [`${file} holds a secret`]
  })
}
