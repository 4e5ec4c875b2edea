import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { describe, expect, test } from 'vitest'
import { type ClickHouseOptions, clickHouseDdl, type Definition } from '../../src/lake/clickhouse.js'
import { relationOf, relations } from '../../src/relations.js'
import { ddlForClickHouse } from '../../src/run/verbs/ddl.js'

// That ClickHouse runs them is proved by `make interop`, on its own engine.

const limits: Definition = {
  relation: relationOf('market.price_limit'),
  comment: `The day's limits.`,
  columns: [
    { name: 'symbol', type: 'VARCHAR', comment: 'Symbol.' },
    { name: 'exchange', type: 'VARCHAR', comment: '' },
    { name: 'trading_date', type: 'DATE', comment: '' },
    { name: 'ceiling', type: 'DECIMAL(18,6)', comment: '' },
    { name: 'loaded_at', type: 'TIMESTAMP WITH TIME ZONE', comment: '' },
  ],
}

const ddl = (options: Partial<ClickHouseOptions>) =>
  clickHouseDdl([limits], { lake: '/srv/lake/', cluster: undefined, copy: false, ...options })

describe('DDL for ClickHouse', () => {
  test('over the Delta log of a folder: nullable columns', () => {
    expect(ddl({})).toBe(
      `CREATE DATABASE IF NOT EXISTS market;

CREATE TABLE IF NOT EXISTS market.price_limit
(
  \`symbol\` Nullable(String) COMMENT 'Symbol.',
  \`exchange\` Nullable(String) COMMENT '',
  \`trading_date\` Nullable(Date32) COMMENT '',
  \`ceiling\` Nullable(Decimal(18, 6)) COMMENT '',
  \`loaded_at\` Nullable(DateTime64(6, 'UTC')) COMMENT ''
)
ENGINE = DeltaLakeLocal('/srv/lake/market/price_limit/')
COMMENT 'The day\\'s limits.';
`.replaceAll('LowCardinality(Nullable(String))', 'Nullable(String)'),
    )
  })

  test('in a bucket, for a cluster: each server reads its share', () => {
    const sql = ddl({ lake: 'https://bucket.example/lake', cluster: 'desk' })
    expect(sql).toContain('CREATE DATABASE IF NOT EXISTS market ON CLUSTER `desk`;')
    expect(sql).toContain('CREATE OR REPLACE VIEW market.price_limit ON CLUSTER `desk` AS\n')
    expect(sql).toContain(
      "SELECT `symbol`, `exchange`, `trading_date`, `ceiling`, `loaded_at` FROM deltaLakeCluster('desk', 'https://bucket.example/lake/market/price_limit/');",
    )
  })

  test('copied: partitioned by month, sorted by the relation’s key, which has no nulls', () => {
    const sql = ddl({ lake: 'https://bucket.example/lake', copy: true })
    expect(sql).toContain("  `symbol` LowCardinality(String) COMMENT 'Symbol.',")
    expect(sql).toContain("  `exchange` LowCardinality(Nullable(String)) COMMENT '',")
    expect(sql).toContain("  `trading_date` Date32 COMMENT '',")
    expect(sql).toContain(
      'ENGINE = MergeTree\nPARTITION BY toYYYYMM(`trading_date`)\nORDER BY (`symbol`, `trading_date`)\n',
    )
    expect(sql).toContain("FROM deltaLake('https://bucket.example/lake/market/price_limit/');")
    expect(ddl({ cluster: 'desk', copy: true })).toContain('ENGINE = ReplicatedMergeTree\n')
  })

  test('exists for every relation, from the same definitions as the warehouse', async () => {
    const sql = await ddlForClickHouse({ lake: '/srv/lake', cluster: undefined, copy: false }, [])
    expect(sql.match(/CREATE TABLE IF NOT EXISTS (\S+)/g)).toEqual(
      relations.map(({ name }) => `CREATE TABLE IF NOT EXISTS ${name}`),
    )
    expect(sql).not.toContain('$')
  })

  test('has views of the timeframes that are derived, and of adjusted bars where the factors are published', async () => {
    const place = { lake: '/srv/lake', cluster: 'desk', copy: false }
    const views = (sql: string) =>
      [...sql.matchAll(/CREATE OR REPLACE VIEW (\S+\.candle_\w+) ON CLUSTER/g)].map(([, name]) => name)
    expect(views(await ddlForClickHouse(place, []))).toEqual(['market.candle_all'])
    const sql = await ddlForClickHouse(place, ['adjustment_factor'])
    expect(views(sql)).toEqual(['market.candle_all', 'mart.candle_adjusted'])
    expect([...sql.matchAll(/'(\w+)' AS timeframe/g)].map(([, timeframe]) => timeframe)).toEqual(
      TIMEFRAMES.filter((timeframe) => timeframe !== '1m'),
    )
  })
})
