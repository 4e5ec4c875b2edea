/**
 * Publishes a lake to real S3 services and reads it there: `make interop`. versitygw (a Go program, `VERSITYGW=PATH`) and
 * moto (of `BUCKET_PYTHON=PATH`); one that is not installed is skipped. Exits with 1 on any difference. Names of services as
 * arguments leave out the other.
 *
 * `COMMITS` (1000) versions are raced for. A publication is killed at every 12th of its data files and log entries, and at every
 * write after them; `KILL_EVERY=1` kills it at every write: 10 minutes on versitygw and 18 on moto, on a busy machine.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Bucket } from '../../src/bucket/bucket.js'
import { systemEffects } from '../../src/effects.js'
import { requireManifest } from '../../src/lake/manifest.js'
import { packageRoot } from '../../src/package.js'
import { filesOf } from '../../src/publish/bucket/bucket-objects.js'
import { verifyBucket } from '../../src/read/verify-bucket.js'
import { noteProgram } from './asked-programs.js'
import { type Gate, type Moment, openGate } from './gate.js'
import { type Home, makeHome } from './home.js'
import { AWS, bucketPython, isInstalled, KEY, SECRET, type Service, services, startService } from './s3.js'

const run = promisify(execFile)
const COMMITS = Number(process.env.COMMITS ?? 1000)
const KILL_EVERY = Number(process.env.KILL_EVERY ?? 12)
const LAKE = 's3://desk/lake'
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

let wrong = 0
function check(what: string, isRight: boolean): void {
  say(`  ${isRight ? 'ok   ' : 'WRONG'} ${what}`)
  if (!isRight) wrong += 1
}

function openBucket(endpoint: string, prefix: string): Bucket {
  const credentials = { accessKeyId: KEY, secretAccessKey: SECRET, sessionToken: undefined }
  const access = { address: { bucket: 'desk', prefix }, credentials, region: 'us-east-1', endpoint }
  return new Bucket(access, new AbortController().signal, systemEffects)
}

/** Two publishers write every version of a log at the same time. */
async function race(endpoint: string): Promise<void> {
  const publishers = [openBucket(endpoint, 'race'), openBucket(endpoint, 'race')] as const
  const wins = [0, 0]
  let faults = 0
  for (let version = 0; version < COMMITS; version += 1) {
    const key = `${version}.json`
    const entry = (name: number): Buffer => Buffer.from(`${name} ${version}`)
    const won = await Promise.all(publishers.map((bucket, name) => bucket.create(key, entry(name))))
    const winner = won.indexOf(true)
    const there = await publishers[0].read(key)
    const isOne = won.filter(Boolean).length === 1 && there && entry(winner).equals(there.bytes)
    wins[winner] = (wins[winner] ?? 0) + 1
    // A commit whose answer was lost is sent again, and its own bytes are there.
    const isKnown = await (publishers[winner] ?? publishers[0]).create(key, entry(winner))
    if (!isOne || !isKnown) faults += 1
  }
  check(
    `${COMMITS} versions, two publishers: one winner each (${wins.join(' and ')}), its own 412 known: ${faults} faults`,
    faults === 0,
  )
  check('no entry is lost', (await publishers[0].list()).length === COMMITS)
}

/**
 * Kills the publication of a night before and after each of its writes (with `KILL_EVERY`: of those data files and log entries),
 * in turn, until one has nothing left to write. After each kill, the bucket is the whole publication before or the new one.
 */
async function killAtEveryWrite(home: Home, gate: Gate, bucket: Bucket): Promise<void> {
  await home.run(['nightly', '--sessions', '3'], { CANDLEHOUSE_LAKE_URL: '' })
  const { publication: former } = await verified(bucket)
  const next = (await requireManifest(home.lake)).publication
  const written: string[] = []
  // What a killed publication wrote is there, but DuckLake and catalog: they are written until their note is.
  let nth = 1
  let isWhole = true
  const isWholeNow = async (): Promise<boolean> => {
    const { publication, findings } = await verified(bucket)
    return findings.length === 0 && [former, next].includes(publication)
  }
  for (;;) {
    const isSkipping = (await missingOfTables(home, bucket)) > KILL_EVERY
    if ((await killAtWrite(home, gate, isSkipping ? KILL_EVERY : nth, 'before')) === undefined) break
    isWhole &&= await isWholeNow()
    // The writes before it have arrived: it is the first one now.
    const key = await killAtWrite(home, gate, isSkipping ? 1 : nth, 'after')
    if (key === undefined) throw new Error('a write that was stopped is not sent again')
    isWhole &&= await isWholeNow()
    if (key === written.at(-1)) nth += 1
    written.push(key)
    if (written.length > 500) throw new Error(`publications come no further than ${key}`)
  }
  const last = ['lake.ducklake', 'manifest.json', 'catalog.duckdb', 'bucket.json']
  const isAll = last.every((name) => written.some((key) => key.endsWith(`/${name}`)))
  check(
    `killed before and after ${new Set(written).size} writes of a publication: the bucket is whole after each`,
    isWhole && isAll && next > former,
  )
}

/** How many data files and log entries of this machine the bucket lacks. */
async function missingOfTables(home: Home, bucket: Bucket): Promise<number> {
  const keys = new Set((await bucket.list()).map(({ key }) => key))
  return (await filesOf(home.lake)).filter((path) => path.includes('/') && !keys.has(path)).length
}

/** Key of the write at which a publication was killed; undefined where it has no such write. */
async function killAtWrite(home: Home, gate: Gate, nth: number, moment: Moment): Promise<string | undefined> {
  let stoppedAt: string | undefined
  const child = home.start(['publish'])
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  gate.stopAtWrite(nth, moment, (key) => {
    stoppedAt = key
    child.kill('SIGKILL')
  })
  const code = await ended
  if (stoppedAt === undefined && code !== 0) throw new Error(`publish ended with ${code}`)
  return stoppedAt
}

async function verified(bucket: Bucket): ReturnType<typeof verifyBucket> {
  const logs = mkdtempSync(join(tmpdir(), 'candlehouse-interop-'))
  try {
    const steps = { onTable: () => undefined, signal: new AbortController().signal }
    return await verifyBucket(bucket, logs, steps)
  } finally {
    rmSync(logs, { recursive: true, force: true })
  }
}

async function sweep(home: Home, bucket: Bucket): Promise<void> {
  const swept = await home.run(['lake', 'sweep', '--retain', '0'])
  const { code } = await home.run(['lake', 'verify', LAKE])
  const { relations } = await requireManifest(home.lake)
  const live = new Set(relations.flatMap(({ files }) => files.map(({ path }) => path)))
  check(`swept: lake verify ${LAKE} finds nothing`, swept.code === 0 && code === 0)
  const keys = (await bucket.list()).map(({ key }) => key)
  const files = keys.filter((key) => key.endsWith('.parquet') && !key.includes('/_delta_log/'))
  check(
    `${live.size} data files of the manifest, and no other`,
    live.size > 0 && files.length === live.size && files.every((key) => live.has(key)),
  )
}

/** What engines are asked of the bucket, as the catalog on this machine answers it. */
const TRUTH = `SELECT * FROM (SELECT count(*), sum(volume), sum(close), min(trading_date), max(trading_date)
    FROM market.candle WHERE timeframe = '1m'),
  (SELECT count(*), sum(total_match), sum(close), min(trading_date), max(close_adjusted) FROM mart.daily_adjusted),
  (SELECT count(*), sum(close), sum(ref_price), min(trading_date), max(mean_volume_20) FROM mart.daily_factor)`

async function read(home: Home, endpoint: string): Promise<void> {
  const { out } = await home.run(['sql', TRUTH, '--csv'])
  const expected = plain(out.split('\n')[1]?.split(',') ?? [])
  const script = join(packageRoot, 'test/interop/engines/bucket.py')
  const { PATH, HOME } = process.env
  const environment = { PATH, HOME, ...AWS, AWS_ENDPOINT_URL: endpoint }
  for (const engine of ['duckdb', 'ducklake', 'delta-rs', 'polars']) {
    const { stdout } = await run(bucketPython, [script, engine, LAKE, endpoint], { env: environment })
    const actual = plain(JSON.parse(stdout) as unknown[])
    check(
      `${engine} reads ${actual}${actual === expected ? '' : ` instead of ${expected}`}`,
      actual === expected,
    )
  }
}

/** Numbers as numbers, whatever zeros they end with; dates as they are. */
function plain(values: readonly unknown[]): string {
  return values.map((value) => (/^\d{4}-/.test(String(value)) ? value : Number(value))).join(' ')
}

async function withService(service: Service): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bucket-'))
  mkdirSync(join(folder, 'service'))
  const { endpoint, process: child } = await startService(service, join(folder, 'service'))
  const gate = await openGate(endpoint)
  const bucket = openBucket(endpoint, 'lake')
  const home = makeHome({ ...AWS, CANDLEHOUSE_LAKE_URL: LAKE, AWS_ENDPOINT_URL_S3: gate.endpoint })
  try {
    await race(endpoint)
    const night = await home.run(['nightly', '--sessions', '2'])
    say(`  ${/s3:.*/.exec(night.out)?.[0] ?? 'no line about the bucket'}`)
    check('a night ends with 0', night.code === 0)
    await read(home, endpoint)
    await killAtEveryWrite(home, gate, bucket)
    await sweep(home, bucket)
    await read(home, endpoint)
  } finally {
    gate.close()
    child.kill()
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2)
for (const service of services) {
  if (asked.length > 0 && !asked.includes(service.name)) continue
  if (!isInstalled(service)) {
    say(`${service.name}: skipped, ${service.command} is not installed`)
    noteProgram(service.name, 'not installed')
    continue
  }
  say(service.name)
  noteProgram(service.name)
  await withService(service)
}
process.exit(wrong > 0 ? 1 : 0)
