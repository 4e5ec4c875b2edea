import { gzipSync } from 'node:zlib'
import { UsageError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { fileOf, parquetOf, recordsOf, withHistory } from '../support/imported.js'

const ROWS = 'symbol,trading_date,close\nFPT,2015-01-05,105\n'
const FPT = { symbol: 'FPT', tradingDate: '2015-01-05', close: '105' }

const daily = (content: string | Uint8Array, name?: string) =>
  recordsOf('securitiesSummary', fileOf(content, name))

describe('a CSV file', () => {
  test.each<[string, string | Uint8Array]>([
    ['with commas', ROWS],
    ['with semicolons', ROWS.replaceAll(',', ';')],
    ['with tabs', ROWS.replaceAll(',', '\t')],
    ['with a byte order mark', `\uFEFF${ROWS}`],
    ['with CRLF', ROWS.replaceAll('\n', '\r\n')],
    ['without a last line end', ROWS.trimEnd()],
    ['with quotes everywhere', '"symbol","trading_date","close"\n"FPT","2015-01-05","105"\n'],
    ['compressed', gzipSync(ROWS)],
  ])('%s is read', async (_, content) => {
    expect(await daily(content)).toEqual([FPT])
  })

  test('is found under a name with signs of patterns, in a folder that looks like a column', async () => {
    expect(await daily(ROWS, "month=1 [a]*?'.txt")).toEqual([FPT])
  })

  test('keeps text as it is: nothing is trimmed, rounded or taken for a comment; empty is none', async () => {
    const symbols = ['fpt', ' FPT ', '#FPT', 'Ð"Q\'', 'x'.repeat(5000), 'a,b']
    const quoted = symbols.map((symbol) => `"${symbol.replaceAll('"', '""')}",2015-01-05,007.50,""`)
    const read = await daily(`symbol,trading_date,close,open\n${quoted.join('\n')}\n`)
    expect(read).toHaveLength(symbols.length)
    for (const symbol of symbols)
      expect(read).toContainEqual({ symbol, tradingDate: '2015-01-05', open: null, close: '007.50' })
  })

  test.each<[string, string | Uint8Array, RegExp]>([
    ['is empty', '', /is empty/],
    ['has a head only', 'symbol,trading_date,close\n', /a head and no rows/],
    [
      'has a row of another length',
      `${ROWS}FPT,2015-01-06\n`,
      /history\.csv cannot be read as CSV: .*Line: 3/,
    ],
    [
      'is no UTF-8',
      Buffer.concat([Buffer.from(ROWS), Buffer.from([0x46, 0xff, 0x2c]), Buffer.from('2015-01-06,1\n')]),
      /cannot be read as CSV/,
    ],
    ['is UTF-16', Buffer.from(`\uFEFF${ROWS}`, 'utf16le'), /text in UTF-16/],
    [
      'is an image',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]),
      /without a first line/,
    ],
    ['is a spreadsheet', 'PK\u0003\u0004xyz', /a spreadsheet/],
    ['is damaged gzip', gzipSync(ROWS).subarray(0, 20), /damaged gzip|no first line|without a first line/],
    [
      'has no day that can be read',
      'symbol,trading_date,close\nFPT,20150105,1\nFPT,20150106,1\n',
      /no row has a day that can be read \(such as '2015010[56]'\)/,
    ],
    [
      'has days that nothing was traded on',
      'symbol,trading_date,close\nFPT,1999-01-05,1\nFPT,2099-01-06,1\n',
      /no row has a day/,
    ],
  ])('that %s is refused with what to do next', async (_, content, words) => {
    const refused = await daily(content).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(UsageError)
    expect(refused).toMatchObject({
      message: expect.stringMatching(words),
      hint: expect.stringMatching(/\w/),
    })
  })

  test('with rows on days without trading is read, and says which; its name is shown without line ends', async () => {
    const path = fileOf(
      `${ROWS}FPT,2015-01-03,104\nFPT,2015-01-04,104\nHPG,2015-01-04,30\n`,
      'a\nexit 0 \u001b[2J.csv',
    )
    await withHistory('securitiesSummary', path, {}, async ({ facts, file }) => {
      expect(facts.closed).toEqual([
        { day: '2015-01-03', rows: 1 },
        { day: '2015-01-04', rows: 2 },
      ])
      expect(file.name).toBe('a exit 0 \\u{1b}[2J.csv')
    })
  })

  test('that is not there is refused, and so is a folder', async () => {
    await expect(recordsOf('ohlc', '/nowhere/x.csv')).rejects.toThrow(
      /cannot read \/nowhere\/x\.csv: there is no such file/,
    )
    await expect(recordsOf('ohlc', temporaryFolder())).rejects.toThrow(/is a folder/)
  })

  test('with a timeframe that the API does not have is refused', async () => {
    const bars = (timeframe: string) =>
      fileOf(`symbol,timeframe,tradingDate,close\nFPT,${timeframe},2015-01-05 09:15:00,1\n`)
    await expect(recordsOf('ohlc', bars('2m'))).rejects.toThrow(/timeframe '2m' is none of the API's/)
    await expect(recordsOf('ohlc', bars(''))).rejects.toThrow(/timeframe is missing in some rows/)
  })
})

describe('a Parquet file', () => {
  test('gives exact text: days, exchange time, decimals, doubles without an exponent', async () => {
    const path =
      await parquetOf(`SELECT 'FPT' AS symbol, DATE '2015-01-05' AS trading_date, 27050.5::DECIMAL(18,6) AS open,
      27050::DOUBLE AS high, 0.1::FLOAT AS low, 9007199254740993 AS total_match, 1.5e17::DOUBLE AS total_match_value,
      -1e-5::DOUBLE AS price_change_percentage, 'nan'::DOUBLE AS close`)
    expect(await recordsOf('securitiesSummary', path)).toEqual([
      {
        symbol: 'FPT',
        tradingDate: '2015-01-05',
        priceChangePercentage: '-0.00001',
        open: '27050.500000',
        high: '27050.0',
        low: '0.1',
        close: 'nan',
        totalMatch: '9007199254740993',
        totalMatchValue: '150000000000000000',
      },
    ])
  })

  test.each([
    ['an instant', `TIMESTAMPTZ '2015-01-05 02:15:00+00'`],
    ['a timestamp, which is exchange time', `TIMESTAMP '2015-01-05 09:15:00'`],
    ['a timestamp in nanoseconds', `TIMESTAMP_NS '2015-01-05 09:15:00'`],
    ['text', `'2015-01-05 09:15:00'`],
  ])('tells the time of a bar by %s', async (_, at) => {
    const path = await parquetOf(`SELECT ${at} AS opened_at, 1 AS close`)
    expect(await recordsOf('ohlc', path, { symbol: 'FPT', timeframe: '1m' })).toEqual([
      { symbol: 'FPT', tradingDate: '2015-01-05 09:15:00', close: '1' },
    ])
  })

  test('may hold symbols as bytes, and any sign in them', async () => {
    const symbols = async (symbol: string) => {
      const path = await parquetOf(
        `SELECT ${symbol} AS symbol, DATE '2015-01-05' AS trading_date, 1 AS close`,
      )
      return (await recordsOf('securitiesSummary', path)) as { symbol: string }[]
    }
    expect(await symbols(`'c'::BLOB`)).toMatchObject([{ symbol: 'c' }])
    expect(await symbols(`'a/' || chr(128293)`)).toMatchObject([{ symbol: 'a/\u{1f525}' }])
    // A person who types the symbol never finds it again.
    for (const hidden of ['chr(0)', 'chr(27)', 'chr(10)', 'chr(65279)', 'chr(8238)'])
      await expect(symbols(`'a' || ${hidden} || 'b'`)).rejects.toThrow(
        /1 rows are of symbols with characters/,
      )
  })

  test('that is damaged is refused', async () => {
    await expect(daily('PAR1 and no more')).rejects.toThrow(/cannot be read as Parquet/)
  })
})

test('bars that were derived are left out and counted', async () => {
  const file = fileOf(`symbol,timeframe,local_time,close,is_derived
FPT,1m,2015-01-05 09:15:00,1,false
FPT,5m,2015-01-05 09:15:00,1,true
`)
  await withHistory('ohlc', file, {}, ({ facts }) => {
    expect(facts).toMatchObject({ rows: 1, derived: 1, subjects: 1, sessions: 1 })
  })
})
