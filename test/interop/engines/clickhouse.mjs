/**
 * ClickHouse as a library: a question a line on stdin, an answer a line on stdout. The first argument says how it reads:
 * through its readers of Delta logs, `kernel` (delta-kernel-rs) or `native` (its own); or what `candlehouse ddl
 * clickhouse` printed, `tables` over the logs or `copies` in its own storage.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Session } from 'chdb'

const mode = process.argv[2]
const kernel = mode === 'native' ? 0 : 1
const program = join(import.meta.dirname, '../../../dist/src/main.js')

// It reads no file outside the folder that it was started in.
process.chdir('/')
const session = new Session()

const EXACT = {
  date: (column) => `toInt32(${column})`,
  instant: (column) => `toUnixTimestamp64Micro(${column})`,
  boolean: (column) => `toInt8(${column})`,
}

/** Millionths of a market value do not fit 64 bits, and a wider integer of a double is not exact: in two parts. */
function millionths(column) {
  const high = `trunc(${column} * 1e6 / 1048576)`
  return `toInt128(toInt64(${high})) * 1048576 + toInt64(floor(${column} * 1e6 - ${high} * 1048576))`
}

const SUMMAND = {
  text: (column) => `length(${column})`,
  double: millionths,
}

const LITERAL = {
  text: quoted,
  decimal: (value, type) => `CAST(${quoted(value)} AS ${type.replace('DECIMAL', 'Decimal')})`,
  date: (value) => `addDays(toDate32('1970-01-01'), ${value})`,
  instant: (value) => `fromUnixTimestamp64Micro(toInt64(${value}), 'UTC')`,
}

const printed = new Map()

/** What the program prints for a lake: it follows from the program and the place alone. */
function statementsOf(lake) {
  if (!printed.has(lake)) {
    const copy = mode === 'copies' ? ['--copy'] : []
    const sql = execFileSync(process.execPath, [program, 'ddl', 'clickhouse', '--lake', lake, ...copy], {
      encoding: 'utf8',
      env: { ...process.env, CANDLEHOUSE_LAKE_MARTS: 'all' },
    })
    printed.set(
      lake,
      sql.split(';\n').map((statement) => statement.trim()),
    )
  }
  return printed.get(lake)
}

/** Makes a relation anew by the statements that the program prints, and names it. */
function made({ relation, table }) {
  session.query(`DROP TABLE IF EXISTS ${relation}`)
  for (const statement of statementsOf(table.slice(0, -relation.length))) {
    if (statement.startsWith('CREATE DATABASE') || statement.includes(` ${relation}\n(`))
      session.query(statement)
    else if (statement.startsWith(`INSERT INTO ${relation} `)) session.query(statement)
  }
  return relation
}

/** Keys of a copy have no nulls, and what is coded is text all the same. */
function plainType(type) {
  const inner = type
    .replace(/^LowCardinality\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1')
    .replace(", 'UTC'", '')
  return `Nullable(${inner})`
}

function answer({ relation, table, version, columns, probes }) {
  const direct = mode === 'kernel' || mode === 'native'
  const from = direct ? `deltaLakeLocal(${quoted(table)})` : made({ relation, table })
  const settings = [
    `allow_experimental_delta_kernel_rs = ${kernel}`,
    ...(version === null ? [] : [`delta_lake_snapshot_version = ${version}`]),
    // The lowest of nothing is nothing, also where a column has no nulls.
    ...(mode === 'copies' ? ['aggregate_functions_null_for_empty = 1'] : []),
  ].join(', ')
  const rows = (query) =>
    session
      .query(`${query} SETTINGS ${settings}`, 'JSONCompactEachRow')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const types = rows(`DESCRIBE ${from}`).map(([name, type]) => [name, direct ? type : plainType(type)])
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
  const asked = types.flatMap(([name]) => {
    const kind = kinds.get(name) ?? 'text'
    const exact = EXACT[kind]?.(identifier(name)) ?? identifier(name)
    const summand = SUMMAND[kind]?.(exact) ?? exact
    const wide = kind === 'decimal' ? summand : `toInt128(${summand})`
    return [`count(${identifier(name)})`, `sum(${wide})`, `min(${exact})`, `max(${exact})`]
  })
  const [[count, ...said]] = rows(
    `SELECT ${['count()', ...asked].map((each) => `toString(${each})`).join(', ')} FROM ${from}`,
  )
  return {
    rows: count,
    columns: Object.fromEntries(
      types.map(([name, type], index) => {
        const [values, sum, min, max] = said.slice(index * 4)
        return [name, { type, values, sum, min, max }]
      }),
    ),
    probes: probes.map(({ column: { name, kind, type }, value }) => {
      const there = value === null ? 'IS NULL' : `= ${LITERAL[kind]?.(value, type) ?? value}`
      return rows(`SELECT toString(count()) FROM ${from} WHERE ${identifier(name)} ${there}`)[0][0]
    }),
  }
}

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function identifier(name) {
  return `"${name}"`
}

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

say({ engine: `clickhouse ${session.query('SELECT version()', 'TSV').trim()} ${process.argv[2]}` })
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say(answer(JSON.parse(line)))
  } catch (problem) {
    say({ error: problem.message })
  }
}
process.exit(0)
