import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { saveArrow } from '../../src/read/arrow/write.js'
import { withCatalog } from '../../src/read/query.js'
import { temporaryFolder } from '../support/folder.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

const saved = async (sql: string, file: string): Promise<number> =>
  await withCatalog(home, (reader) => saveArrow(reader, sql, file, systemEffects))

describe('an Arrow file', () => {
  test('holds exact prices, volumes, days and instants, with Arrow types', async () => {
    const file = join(temporaryFolder(), 'candles.arrow')
    const rows = await saved(
      `SELECT symbol, open, value, volume, trading_date, opened_at, local_time, is_derived, NULL::BIGINT AS none, 0.5::DOUBLE AS half
       FROM market.candle WHERE timeframe = '1m'`,
      file,
    )
    expect(rows).toBe(1)
    const table = tableFromIPC(readFileSync(file))
    expect(table.schema.fields.map((field) => `${field.name} ${field.type}`)).toEqual([
      'symbol Utf8',
      'open Decimal[18e+6]',
      'value Decimal[18e+2]',
      'volume Int64',
      'trading_date Date32<DAY>',
      'opened_at Timestamp<MICROSECOND, UTC>',
      'local_time Timestamp<MICROSECOND>',
      'is_derived Bool',
      'none Int64',
      'half Float64',
    ])
    const row = table.get(0)
    expect(row?.symbol).toBe('HPG')
    expect(String(row?.open)).toBe('27000123456')
    expect(String(row?.value)).toBe('900719925474099325')
    expect(row?.volume).toBe(9007199254740993n)
    expect(new Date(row?.trading_date).toISOString()).toBe('2025-03-14T00:00:00.000Z')
    expect(new Date(Number(row?.opened_at)).toISOString()).toBe('2025-03-14T02:15:00.000Z')
    expect(new Date(Number(row?.local_time)).toISOString()).toBe('2025-03-14T09:15:00.000Z')
    expect(row?.is_derived).toBe(false)
    expect(row?.none).toBeNull()
    expect(row?.half).toBe(0.5)
  })

  test('keeps negative decimals, nulls and microseconds', async () => {
    const file = join(temporaryFolder(), 'odd.arrow')
    await saved(
      `SELECT CASE WHEN i % 2 = 0 THEN NULL ELSE (-i)::DECIMAL(18,6) / 4 END::DECIMAL(18,6) AS d,
         TIMESTAMPTZ '2025-03-14 02:15:00.123456+00' AS t FROM range(5000) r(i)`,
      file,
    )
    const table = tableFromIPC(readFileSync(file))
    expect(table.numRows).toBe(5000)
    expect(table.getChild('d')?.nullCount).toBe(2500)
    const words = table.getChild('d')?.get(4999) as Uint32Array
    expect(
      BigInt.asIntN(
        128,
        [...words].reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
      ),
    ).toBe(-1249750000n)
    const micros = table.getChild('t')?.data[0]?.values as BigInt64Array
    expect(micros[0]).toBe(1741918500123456n)
  })

  test('is not left behind by a failed statement', async () => {
    const folder = temporaryFolder()
    await expect(saved(`SELECT error('no')`, join(folder, 'x.arrow'))).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual([])
    await expect(saved('SELECT 1', join(folder, 'gone', 'x.arrow'))).rejects.toMatchObject({
      exitCode: 6,
    })
    expect(existsSync(join(folder, 'gone'))).toBe(false)
  })
})
