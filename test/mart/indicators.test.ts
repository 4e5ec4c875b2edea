import { expect, test } from 'vitest'
import { martObjects } from '../../src/mart/objects.js'
import { emptyWarehouse } from '../support/memory.js'

const BARS = 1500
const LENGTHS = { ema: 3, rsi: 2 }

/** Closes of a walk whose steps have no period; the first 200 do not move. */
const CLOSES = Array.from({ length: BARS }, (_, bar) =>
  bar < 200 ? 100 : 100 + Math.round(2000 * Math.sin(bar * bar * 0.37)) / 100,
)

/** What each indicator is by its recursion, one bar after the other. */
function recursion(): { ema: (number | undefined)[]; rsi: (number | undefined)[] } {
  const ema: (number | undefined)[] = []
  const rsi: (number | undefined)[] = []
  let average = 0
  let [gain, loss] = [0, 0]
  for (const [bar, close] of CLOSES.entries()) {
    const change = close - (CLOSES[bar - 1] ?? close)
    if (bar < LENGTHS.ema) average += close / LENGTHS.ema
    else average += ((close - average) * 2) / (LENGTHS.ema + 1)
    ema.push(bar >= LENGTHS.ema - 1 ? average : undefined)
    const weight = bar <= LENGTHS.rsi ? 1 : LENGTHS.rsi - 1
    const [up, down] = [Math.max(change, 0), Math.max(-change, 0)]
    gain = gain * (bar <= LENGTHS.rsi ? 1 : weight / LENGTHS.rsi) + up / LENGTHS.rsi
    loss = loss * (bar <= LENGTHS.rsi ? 1 : weight / LENGTHS.rsi) + down / LENGTHS.rsi
    rsi.push(bar >= LENGTHS.rsi && gain + loss > 0 ? (100 * gain) / (gain + loss) : undefined)
  }
  return { ema, rsi }
}

test('smoothed indicators over many blocks of bars are those of their recursions', async () => {
  const database = await emptyWarehouse()
  const rows = CLOSES.map(
    (close, bar) =>
      `('AAA', '1m', DATE '2025-03-10', TIMESTAMPTZ '2025-03-10 00:00:00+00' + INTERVAL ${bar} MINUTE, ${close}, 1, ${close})`,
  )
  await database.run(
    `INSERT INTO market.candle (symbol, timeframe, trading_date, opened_at, close, volume, value) VALUES ${rows.join()}`,
  )
  const bars = await database.rows<{ ema: number | null; rsi: number | null }>(
    `SELECT ema, rsi FROM mart.indicators('market.candle', ema_length := ${LENGTHS.ema}, rsi_length := ${LENGTHS.rsi}) ORDER BY opened_at`,
  )
  const expected = recursion()
  expect(bars).toHaveLength(BARS)
  for (const [bar, { ema, rsi }] of bars.entries()) {
    for (const [name, actual, wanted] of [
      ['ema', ema, expected.ema[bar]],
      ['rsi', rsi, expected.rsi[bar]],
    ] as const) {
      const where = `${name} of bar ${bar}`
      if (wanted === undefined) expect(actual, where).toBeNull()
      else expect(actual, where).toBeCloseTo(wanted, 6)
    }
  }
})

test('a length below two, and a timeframe that does not exist, are refused', async () => {
  const database = await emptyWarehouse()
  await expect(database.rows(`FROM mart.indicators('market.candle', sma_length := 1)`)).rejects.toThrow(
    'lengths of indicators begin with 2',
  )
  await expect(database.rows(`FROM mart.bars_of('7d')`)).rejects.toThrow('no timeframe of bars: 7d')
  await expect(database.rows('FROM mart.bars_of(NULL)')).rejects.toThrow('no timeframe of bars: NULL')
})

test.each([
  ['indicators', "'$bars', sma_length := 2, band_length := 2, ema_length := 2, rsi_length := 2"],
  ['period_bars', "'$bars', '1w'"],
])(
  'further columns of the bars that are given change nothing, whatever their names: %s',
  async (name, given) => {
    const database = await emptyWarehouse()
    const asked = ['symbol', 'trading_date', 'opened_at', 'open', 'high', 'low', 'close', 'volume', 'value']
    await database.run(`CREATE OR REPLACE TEMP TABLE plain AS
    SELECT 'AAA' AS symbol, DATE '2025-03-10' + n::INTEGER AS trading_date, trading_date::TIMESTAMPTZ AS opened_at,
      10.0 + n % 3 AS open, 20.0 AS high, 5.0 AS low, 11.0 + n % 4 AS close, 100 AS volume, 1000.0 AS value
    FROM range(12) r(n)`)
    const text = martObjects().find((object) => object.name === name)?.text ?? ''
    const aliases = [...new Set([...text.matchAll(/\bAS ([a-z]\w*)/g)].map(([, alias = '']) => alias))]
    const further = aliases.filter((alias) => !asked.includes(alias))
    expect(further.length).toBeGreaterThan(1)
    const columns = further.map((alias) => `'1d' AS ${alias}`).join(', ')
    await database.run(`CREATE OR REPLACE TEMP TABLE wide AS SELECT *, ${columns} FROM plain`)
    const rowsOf = (bars: string) =>
      database.rows(`FROM mart.${name}(${given.replace('$bars', bars)}) ORDER BY ALL`)
    expect(await rowsOf('wide')).toEqual(await rowsOf('plain'))
  },
)
