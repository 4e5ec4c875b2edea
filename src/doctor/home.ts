import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LockedError } from 'candlehouse-foundation/errors'
import { shownInstant } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { openDatabase } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { adviceLine, type Conclusion, seriousReasons, shortHeadline } from '../night/conclusion.js'
import { type KilledRun, killedWords } from '../night/progress.js'
import { type DeepRead, readEverything } from '../read/everything.js'
import { isPublished, readStatus, verifyLake } from '../read/index.js'
import { calendarAdvice, readCalendarStatus } from '../settings/calendar-status.js'
import { readMarketRules } from '../settings/market-rules-file.js'
import { missingMigrations } from '../warehouse/migrate.js'
import { type Diagnosis, fail, note, ok } from './diagnosis.js'
import { failOf } from './service.js'

const REBUILD = 'candlehouse replay, then candlehouse publish'

/** The home: there and writable, or at least its parent. */
export function checkHome(home: string): Diagnosis {
  if (!existsSync(home)) {
    if (existsSync(dirname(home))) return ok('home', `${home} does not exist yet; the first run creates it`)
    const meaning =
      'A run creates the home, not its parents: a disk that is not mounted must not be filled in its place.'
    return fail('home', 6, `neither ${home} nor its parent exists`, meaning, `mkdir -p ${dirname(home)}`)
  }
  try {
    accessSync(home, constants.W_OK)
    return ok('home', home)
  } catch {
    return note('home', `${home} is not writable for this user`, 'You can read; runs need its owner.')
  }
}

/** The writer's file, and whether a run has it locked. */
export async function checkWarehouse(home: string): Promise<Diagnosis[]> {
  const file = join(home, 'warehouse.duckdb')
  if (!existsSync(file)) return [missingWarehouse(home, file)]
  const exposed = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  const mode = exposed
    ? [note('warehouse', `${file} can be read by others on this machine`, null, `chmod 600 ${file}`)]
    : []
  try {
    using database = await openDatabase(file, { readOnly: true, threads: 1 })
    await missingMigrations(database)
    return [...mode, ok('warehouse', `${file} opens`), ok('lock', 'free: no run is working now')]
  } catch (error) {
    if (error instanceof LockedError)
      return [
        ...mode,
        note('lock', error.message, 'Other writing commands end with 75 until it ends; reading ones go on.'),
      ]
    return [
      ...mode,
      failOf('warehouse', error, `Runs cannot work. Everything in it can be rebuilt: ${REBUILD}.`),
    ]
  }
}

function missingWarehouse(home: string, file: string): Diagnosis {
  if (!isPublished(home)) return ok('warehouse', 'none yet; the first run creates it')
  const meaning = 'Readers go on. The next nightly rebuilds it from raw/; check and publish need it.'
  return note('warehouse', `${file} is missing, and a lake is published`, meaning, REBUILD)
}

/** The user's own calendar, and how far closed days are known. */
export function checkCalendar(home: string, effects: Effects): Diagnosis {
  const calendar = readCalendarStatus(home, effects)
  if (calendar.problem !== null)
    return fail('calendar', 3, calendar.problem, 'Runs refuse to start.', `correct ${calendar.file}`)
  const finding = `closed days are known until ${calendar.knownUntil}`
  if (!calendar.isEnding) return ok('calendar', finding)
  const advice = calendarAdvice(calendar)
  return note('calendar', finding, `${advice.slice(0, 1).toUpperCase()}${advice.slice(1)}.`)
}

/** The user's own rules of the market; nothing where there is no file. */
export function checkMarketRules(home: string): Diagnosis[] {
  const file = join(home, 'market_rules.csv')
  if (!existsSync(file)) return []
  try {
    return [ok('rules', `${file} extends the rulebook, rules: ${readMarketRules(home).length}`)]
  } catch (error) {
    return [failOf('rules', error, 'Runs refuse to start.')]
  }
}

/** What readers see, and how the last run ended. */
export async function checkPublished(home: string, effects: Effects): Promise<Diagnosis[]> {
  const status = await readStatus(home, effects).catch((error: unknown) =>
    failOf('catalog', error, 'Analysts and notebooks cannot read.'),
  )
  if ('check' in status) return [status]
  const { publication, conclusion, killedRun } = status
  return [
    publication
      ? ok('catalog', `publication ${publication.id} of ${shownInstant(publication.publishedAt)}`)
      : note('catalog', 'nothing is published yet', 'There is nothing to read.', 'candlehouse nightly'),
    ...checkKilled(killedRun),
    ...checkNight(conclusion),
  ]
}

/** What the conclusion does not know yet. */
function checkKilled(killed: KilledRun | null): Diagnosis[] {
  if (!killed) return []
  const meaning = 'What it had landed is not lost: its command, typed again, continues where it stopped.'
  return [note('run', killedWords(killed), meaning)]
}

/** The conclusion of the last run, as every other place shows it: the doctor has no opinion of its own on a night. */
function checkNight(conclusion: Conclusion | null): Diagnosis[] {
  if (!conclusion) return [ok('night', 'no run has ended yet')]
  const { run, complete, trusted, headline, next } = conclusion
  const ended = `${run.job} for ${run.tradingDate}, ended at ${shownInstant(run.finishedAt)} with exit ${run.exitCode}`
  const isGood = complete && trusted
  const commands = next.length === 0 ? null : next.map(adviceLine).join('\n')
  const about = seriousReasons(conclusion).filter(({ against }) => isGood || against !== null)
  if (isGood && about.length === 0) return [ok('night', `${ended}: ${headline}`)]
  const meaning = about.map(({ text }) => text).join('; ')
  return [note('night', `${ended}: ${shortHeadline(conclusion)}`, meaning, commands)]
}

/** Every file of the lake against its manifest, and every column of every relation. */
export async function checkDeeply(
  home: string,
  onStep: (name: string) => void,
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  if (!existsSync(join(home, 'catalog.duckdb'))) return []
  const broken = 'Readers of these rows fail or see wrong values.'
  try {
    const { findings, files } = await verifyLake(join(home, 'lake'), { onTable: onStep, signal })
    const [first] = findings
    const lake = first
      ? fail(
          'lake',
          6,
          `${counted(findings.length, 'difference')}; the first: ${first.path}: ${first.wrong}`,
          broken,
          'candlehouse publish --deep',
        )
      : ok('lake', `${files} files match their SHA-256`)
    return [lake, columnsOf(await readEverything(home, onStep, signal), broken)]
  } catch (error) {
    signal.throwIfAborted()
    return [failOf('lake', error, broken)]
  }
}

function columnsOf({ relations, columns, rows, failures }: DeepRead, broken: string): Diagnosis {
  const [first] = failures
  if (first)
    return fail(
      'columns',
      6,
      `${first.relation} cannot be read: ${first.reason}`,
      broken,
      'candlehouse publish --deep',
    )
  return ok(
    'columns',
    `every column read: ${columns} columns of ${relations} relations, ${rows.toLocaleString('en-US')} rows`,
  )
}
