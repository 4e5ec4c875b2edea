/**
 * Publishes a lake to real S3 services and reads it there: `make interop`. versitygw (a Go program, `VERSITYGW=PATH`) and
 * moto (`MOTO_SERVER=PATH`); one that is not installed is skipped. Exits with 1 on any difference.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Bucket } from '../../src/bucket/bucket.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { answers, freePort, KEY, SECRET, type Service, services } from './s3.js'

const run = promisify(execFile)
const here = join(packageRoot, 'test/interop')
const program = join(packageRoot, 'dist/src/main.js')
const python = process.env.PYTHON ?? join(here, '.venv-bucket/bin/python')
const COMMITS = Number(process.env.COMMITS ?? 1000)
const KILLS = Number(process.env.KILLS ?? 12)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

let wrong = 0
function check(what: string, isRight: boolean): void {
  say(`  ${isRight ? 'ok   ' : 'WRONG'} ${what}`)
  if (!isRight) wrong += 1
}

/** Two publishers write every version of a log at the same time. */
async function race(endpoint: string): Promise<void> {
  const open = (): Bucket =>
    new Bucket(
      {
        address: { bucket: 'desk', prefix: 'race' },
        credentials: { accessKeyId: KEY, secretAccessKey: SECRET, sessionToken: undefined },
        region: 'us-east-1',
        endpoint,
      },
      new AbortController().signal,
      systemEffects,
    )
  const publishers = [open(), open()] as const
  const wins = [0, 0]
  let isOne = true
  for (let version = 0; version < COMMITS; version += 1) {
    const key = `${version}.json`
    const entry = (name: number): Buffer => Buffer.from(`${name} ${version}`)
    const won = await Promise.all(publishers.map((bucket, name) => bucket.create(key, entry(name))))
    const winner = won.indexOf(true)
    const there = await publishers[0].read(key)
    if (won.filter(Boolean).length !== 1 || !there || !entry(winner).equals(there.bytes)) isOne = false
    wins[winner] = (wins[winner] ?? 0) + 1
    // A commit whose answer was lost is sent again, and its own bytes are there.
    if (!(await (publishers[winner] ?? publishers[0]).create(key, entry(winner)))) isOne = false
  }
  check(
    `${COMMITS} versions, two publishers: one winner each (${wins.join(' and ')}), its own 412 known`,
    isOne,
  )
  check('no entry is lost', (await publishers[0].list()).length === COMMITS)
}

interface Place {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
}

async function candlehouse(
  { home, environment }: Place,
  ...args: string[]
): Promise<{ code: number; out: string }> {
  return await run(process.execPath, [program, ...args, '--home', home], {
    cwd: home,
    env: environment,
  }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (failure: { code: number; stdout: string }) => ({ code: failure.code, out: failure.stdout }),
  )
}

/** Kills publications at instants that go through the whole of one; after each, the bucket is one whole publication. */
async function kill(place: Place): Promise<void> {
  const publish = async (killAfter?: number): Promise<boolean> => {
    const child = spawn(process.execPath, [program, 'publish', '--home', place.home], {
      cwd: place.home,
      env: place.environment,
      stdio: 'ignore',
    })
    const ended = new Promise<boolean>((resolve) =>
      child.once('exit', (_, signal) => resolve(signal === 'SIGKILL')),
    )
    if (killAfter !== undefined) void systemEffects.sleep(killAfter).then(() => child.kill('SIGKILL'))
    return await ended
  }
  const night = { ...place, environment: { ...place.environment, CANDLEHOUSE_LAKE_URL: '' } }
  let killed = 0
  let isWhole = true
  for (let index = 0; index < KILLS; index += 1) {
    if (index % 4 === 0) await candlehouse(night, 'nightly', '--sessions', String(3 + index / 4))
    if (await publish(250 + (index % 4) * 150)) killed += 1
    isWhole &&= (await candlehouse(place, 'lake', 'verify', 's3://desk/lake')).code === 0
  }
  check(`${killed} of ${KILLS} publications killed: the bucket is whole after each`, isWhole && killed > 0)
  await publish()
  const swept = await candlehouse(place, 'lake', 'sweep', '--retain', '0')
  const verified = await candlehouse(place, 'lake', 'verify', 's3://desk/lake')
  check('published again and swept: verify finds nothing', swept.code === 0 && verified.code === 0)
}

const SUM =
  "SELECT count(*) AS n, sum(volume) AS v, sum(close) AS c FROM market.candle WHERE timeframe = '1m'"

async function read(place: Place, endpoint: string): Promise<void> {
  const { out } = await candlehouse(place, 'sql', SUM, '--json')
  const [truth] = JSON.parse(out) as Record<string, unknown>[]
  const expected = Object.values(truth ?? {})
    .map(Number)
    .join(' ')
  const script = join(here, 'engines/bucket.py')
  const environment = { ...place.environment, AWS_ENDPOINT_URL: endpoint }
  for (const engine of ['duckdb', 'ducklake', 'delta-rs', 'polars']) {
    const { stdout } = await run(python, [script, engine, 's3://desk/lake', endpoint], { env: environment })
    check(`${engine} reads ${stdout.trim()}`, stdout.trim().split(' ').map(Number).join(' ') === expected)
  }
}

async function withService(service: Service): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bucket-'))
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  try {
    const { PATH, HOME } = process.env
    const keys = { ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET }
    const aws = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'us-east-1' }
    child = spawn(service.command, service.args(port, folder), {
      env: { PATH, HOME, ...keys },
      stdio: 'ignore',
    })
    await answers(endpoint)
    if (service.name === 'moto') await fetch(`${endpoint}/desk`, { method: 'PUT' })
    await race(endpoint)
    const home = join(folder, 'home')
    mkdirSync(home)
    const bucket = { CANDLEHOUSE_LAKE_URL: 's3://desk/lake', AWS_ENDPOINT_URL_S3: endpoint }
    const place: Place = { home, environment: { PATH, HOME, ...aws, ...bucket } }
    const night = await candlehouse(place, 'nightly', '--sessions', '2')
    say(`  ${/s3:.*/.exec(night.out)?.[0] ?? 'no line about the bucket'}`)
    check('a night ends with 0', night.code === 0)
    await read(place, endpoint)
    await kill(place)
    await read(place, endpoint)
  } finally {
    child?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const service of services) {
  if (!existsSync(service.command)) {
    say(`${service.name}: skipped, ${service.command} is not installed`)
    continue
  }
  say(service.name)
  await withService(service)
}
process.exit(wrong > 0 ? 1 : 0)
