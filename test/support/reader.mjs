// An analyst's process: opens the catalog, asks twice, closes, and again, until it is told to stop; in turns it reads
// what the manifest names. Every row of every relation it looks at carries the number of the state that wrote it, so
// that two numbers in one answer are a mixed state. Sends how many states it has met, after every reading. Ends with the
// test that started it, also where that was killed. Arguments: home, file that says stop, file for its verdict.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

const [home, stop, verdict] = process.argv.slice(2)
const RELATIONS = {
  'market.candle': 'volume',
  'market.daily_summary': 'total_match',
  'market.price_limit': 'floor',
}

const verdicts = { reads: 0, states: new Set(), wrong: [] }

async function statesIn(connection, from) {
  const parts = Object.entries(RELATIONS).map(([name, column]) => {
    const only = name === 'market.candle' ? ` WHERE timeframe = '1m'` : ''
    return `SELECT ${column}::BIGINT AS state, count(*) AS rows FROM ${from(name)}${only} GROUP BY ALL`
  })
  const answer = await connection.runAndReadAll(parts.join(' UNION ALL '))
  return answer.getRows().map(([state]) => Number(state))
}

async function read(open, from) {
  const instance = await open()
  const connection = await instance.connect()
  try {
    const first = await statesIn(connection, from)
    const again = await statesIn(connection, from)
    const states = new Set([...first, ...again])
    if (first.length !== Object.keys(RELATIONS).length || states.size !== 1) {
      verdicts.wrong.push(`mixed: ${first} then ${again}`)
    }
    for (const state of states) verdicts.states.add(state)
    process.send?.(verdicts.states.size)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

while (process.connected && !existsSync(stop)) {
  verdicts.reads += 1
  try {
    if (verdicts.reads % 2 === 1) {
      const catalog = join(home, 'catalog.duckdb')
      await read(
        () => DuckDBInstance.create(catalog, { access_mode: 'READ_ONLY' }),
        (name) => name,
      )
    } else {
      const manifest = JSON.parse(readFileSync(join(home, 'lake', 'manifest.json'), 'utf8'))
      const files = (name) => manifest.relations.find((each) => each.name === name).files
      await read(
        () => DuckDBInstance.create(':memory:'),
        (name) => `read_parquet([${files(name).map(({ path }) => `'${join(home, 'lake', path)}'`)}])`,
      )
    }
  } catch (error) {
    verdicts.wrong.push(error.message)
  }
}
writeFileSync(verdict, JSON.stringify({ ...verdicts, states: verdicts.states.size }))
