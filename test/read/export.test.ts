import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { exportRows } from '../../src/read/export/export.js'
import { type ExportManifest, type ExportRequest, PROFILES } from '../../src/read/export/export-request.js'
import { FORMAT_NAMES, FORMATS } from '../../src/read/export/formats.js'
import { temporaryFolder } from '../support/folder.js'
import { openMacros } from '../support/landed.js'
import { evening, filesBelow } from '../support/published.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

const silent = {
  file: () => undefined,
  percent: () => undefined,
  rows: () => undefined,
  note: () => undefined,
  signal: new AbortController().signal,
}

/** A request with nothing asked for that is not named. */
function whole(request: Partial<ExportRequest> & Pick<ExportRequest, 'source' | 'out'>): ExportRequest {
  return {
    format: 'parquet',
    profile: 'exact',
    from: undefined,
    to: undefined,
    symbols: undefined,
    timeframe: undefined,
    partitionBy: undefined,
    ...request,
  }
}

async function exported(
  request: Partial<ExportRequest> & Pick<ExportRequest, 'source' | 'out'>,
): Promise<ExportManifest> {
  return await exportRows(home, whole(request), silent, evening())
}

/** A value of every type, and a row of nulls. */
const TYPES = `SELECT 'HPG' AS symbol, 1.5::DECIMAL(18,6) AS price, -12345678901234567890.1234::DECIMAL(24,4) AS money,
    9007199254740993 AS volume, 0.1::DOUBLE AS ratio, DATE '2025-03-14' AS day, sum(9007199254740993) AS total,
    TIMESTAMPTZ '2025-03-14 02:15:00.25+00' AS instant, TIMESTAMP '2025-03-14 09:15:00' AS local, true AS flag
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL ORDER BY ALL NULLS LAST`

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

async function parquetTypes(file: string): Promise<string[]> {
  const database = await openMacros()
  const rows = await database.rows<{ column_name: string; column_type: string }>(
    `DESCRIBE FROM read_parquet('${file}')`,
  )
  return rows.map((row) => `${row.column_name} ${row.column_type}`)
}

describe('an export, exact', () => {
  test('as Parquet has the types of the warehouse, sums of BIGINT too', async () => {
    const out = join(temporaryFolder(), 'x.parquet')
    await exported({ source: { query: TYPES }, out })
    expect(await parquetTypes(out)).toEqual([
      'symbol VARCHAR',
      'price DECIMAL(18,6)',
      'money DECIMAL(24,4)',
      'volume BIGINT',
      'ratio DOUBLE',
      'day DATE',
      'total DECIMAL(38,0)',
      'instant TIMESTAMP WITH TIME ZONE',
      'local TIMESTAMP',
      'flag BOOLEAN',
    ])
    const database = await openMacros()
    expect(
      await database.rows(`SELECT money, total FROM read_parquet('${out}') WHERE symbol IS NOT NULL`),
    ).toEqual([{ money: '-12345678901234567890.1234', total: '9007199254740993' }])
  })

  test('as CSV keeps all digits and writes instants in UTC; null is empty, an empty string is quoted', async () => {
    const out = join(temporaryFolder(), 'x.csv')
    await exported({
      source: { query: `FROM (${TYPES}) UNION ALL SELECT '', 0, 0, 0, 0, NULL, 0, NULL, NULL, false` },
      out,
      format: 'csv',
    })
    expect(lines(out)).toEqual([
      'symbol,price,money,volume,ratio,day,total,instant,local,flag',
      'HPG,1.500000,-12345678901234567890.1234,9007199254740993,0.1,2025-03-14,9007199254740993,2025-03-14T02:15:00.25Z,2025-03-14 09:15:00,true',
      ',,,,,,,,,',
      '"",0.000000,0.0000,0,0.0,,0,,,false',
    ])
  })

  test('writes decimals of 18 digits, and of one more, to the last digit', async () => {
    const texts = ['0.0001', '-0.0001', '99999999999999.9999', '-99999999999999.9999', '100000000000000.0000']
    const whole = ['9', '-9', `${'9'.repeat(18)}`, `-${'9'.repeat(18)}`, `1${'0'.repeat(18)}`]
    const tiny = texts.map((_, place) => `${place % 2 ? '-' : ''}0.${'0'.repeat(19)}${place + 1}`)
    const row = (_: string, place: number) =>
      `SELECT ${place} AS place, '${texts[place]}'::DECIMAL(24,4) AS value, '${whole[place]}'::DECIMAL(38,0) AS whole, '${tiny[place]}'::DECIMAL(38,20) AS tiny`
    const query = `${texts.map(row).join(' UNION ALL ')} ORDER BY place`
    const [csv, ndjson] = ['x.csv', 'x.ndjson'].map((name) => join(temporaryFolder(), name)) as [
      string,
      string,
    ]
    await exported({ source: { query }, out: csv, format: 'csv' })
    await exported({ source: { query }, out: ndjson, format: 'ndjson' })
    const expected = texts.map((value, place) => [String(place), value, whole[place], tiny[place]])
    expect(
      lines(csv)
        .slice(1)
        .map((line) => line.split(',')),
    ).toEqual(expected)
    expect(lines(ndjson).map((line) => Object.values(JSON.parse(line)).map(String))).toEqual(expected)
  })

  test('as NDJSON writes numbers that a double cannot represent as text', async () => {
    const out = join(temporaryFolder(), 'x.ndjson')
    await exported({ source: { query: TYPES }, out, format: 'ndjson' })
    expect(lines(out).map((line) => JSON.parse(line))[0]).toEqual({
      symbol: 'HPG',
      price: '1.500000',
      money: '-12345678901234567890.1234',
      volume: '9007199254740993',
      ratio: 0.1,
      day: '2025-03-14',
      total: '9007199254740993',
      instant: '2025-03-14T02:15:00.25Z',
      local: '2025-03-14 09:15:00',
      flag: true,
    })
  })

  test.each(PROFILES)(
    'as NDJSON is JSON where a number is none, or too long for one: %s',
    async (profile) => {
      const out = join(temporaryFolder(), 'x.ndjson')
      const query = `FROM (VALUES ('nan'::DOUBLE, 0.1::DOUBLE, 'inf'::FLOAT, 1), ('-inf', NULL, 0.5, 2)) t(a, b, c, d)`
      await exported({ source: { query }, out, format: 'ndjson', profile })
      expect(lines(out).map((line) => JSON.parse(line))).toEqual([
        { a: 'NaN', b: 0.1, c: 'Infinity', d: 1 },
        { a: '-Infinity', b: null, c: 0.5, d: 2 },
      ])
      if (profile === 'pandas') return
      const long =
        'SELECT 18446744073709551615::UBIGINT AS a, 340282366920938463463374607431768211455::UHUGEINT AS b'
      await exported({ source: { query: long }, out, format: 'ndjson' })
      expect(lines(out)).toEqual([
        '{"a":"18446744073709551615","b":"340282366920938463463374607431768211455"}',
      ])
    },
  )

  test('as Arrow keeps nulls and texts of every length across batches', async () => {
    const out = join(temporaryFolder(), 'x.arrow')
    const sql = `SELECT CASE WHEN i % 7 = 0 THEN NULL ELSE repeat('é', (i % 40)::INTEGER) || chr(0) || i // 500 END AS text,
      CASE WHEN i % 5 = 0 THEN NULL ELSE -i END::DECIMAL(4,1) AS d2, (i - 70000)::DECIMAL(9,2) AS d4,
      (i * -123456789)::DECIMAL(18,6) AS d8, (i::HUGEINT * 12345678901234567890)::DECIMAL(38,2) AS d16,
      CASE WHEN i % 3 = 0 THEN NULL ELSE i % 2 = 0 END AS flag, i::SMALLINT AS small, [i, NULL] AS list
      FROM range(0, 150000) r(n), (SELECT n % 999 AS i)`
    const query = sql.replace(
      'FROM range(0, 150000) r(n), (SELECT n % 999 AS i)',
      'FROM (SELECT n % 999 AS i, n FROM range(150000) r(n)) ORDER BY n',
    )
    const { rows } = await exported({ source: { query }, out, format: 'arrow' })
    expect(rows).toBe(150_000)
    const table = tableFromIPC(readFileSync(out))
    expect(table.numRows).toBe(150_000)
    expect(table.schema.fields.map((field) => `${field.name} ${field.type}`)).toEqual([
      'text Utf8',
      'd2 Decimal[4e+1]',
      'd4 Decimal[9e+2]',
      'd8 Decimal[18e+6]',
      'd16 Decimal[38e+2]',
      'flag Bool',
      'small Int16',
      'list Utf8',
    ])
    const column = (name: string) => table.getChild(name)
    for (const n of [0, 1, 2, 6, 7, 39, 2047, 2048, 65_535, 65_536, 65_537, 131_072, 149_999]) {
      const i = n % 999
      const decimal = (name: string) => signed(column(name)?.get(n))
      expect(column('text')?.get(n)).toBe(
        i % 7 === 0 ? null : `${'é'.repeat(i % 40)}\0${Math.floor(i / 500)}`,
      )
      expect(decimal('d2')).toBe(i % 5 === 0 ? null : BigInt(-i * 10))
      expect(decimal('d4')).toBe(BigInt((i - 70_000) * 100))
      expect(decimal('d8')).toBe(BigInt(i) * -123_456_789_000_000n)
      expect(decimal('d16')).toBe(BigInt(i) * 1_234_567_890_123_456_789_000n)
      expect(column('flag')?.get(n)).toBe(i % 3 === 0 ? null : i % 2 === 0)
      expect(column('small')?.get(n)).toBe(i)
      expect(column('list')?.get(n)).toBe(`["${i}",null]`)
    }
    expect(column('text')?.nullCount).toBe(
      [...Array(150_000).keys()].filter((n) => (n % 999) % 7 === 0).length,
    )
  })
})

/** Four little-endian words as a number. */
function signed(words: Uint32Array | null): bigint | null {
  if (words === null) return null
  return BigInt.asIntN(
    128,
    [...words].reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  )
}

describe('an export for pandas', () => {
  test('has DOUBLE and TIMESTAMP instead of DECIMAL, DATE and instants', async () => {
    const out = join(temporaryFolder(), 'x.parquet')
    await exported({ source: { query: TYPES }, out, profile: 'pandas' })
    expect(await parquetTypes(out)).toEqual([
      'symbol VARCHAR',
      'price DOUBLE',
      'money DOUBLE',
      'volume BIGINT',
      'ratio DOUBLE',
      'day TIMESTAMP',
      'total DOUBLE',
      'instant TIMESTAMP',
      'local TIMESTAMP',
      'flag BOOLEAN',
    ])
    const database = await openMacros()
    expect(await database.rows(`SELECT instant, day FROM read_parquet('${out}') LIMIT 1`)).toEqual([
      { instant: '2025-03-14 02:15:00.25', day: '2025-03-14 00:00:00' },
    ])
  })

  test.each(FORMAT_NAMES)('as %s takes a statement with its semicolon', async (format) => {
    const out = join(temporaryFolder(), 'x')
    const source = { query: `SELECT 'HPG' AS symbol, ';' AS text ;\n` }
    expect(await exported({ source, out, format, profile: 'pandas' })).toMatchObject({ rows: 1 })
  })

  test('as Arrow has dictionary-coded symbols, sorted, with nulls', async () => {
    const out = join(temporaryFolder(), 'x.arrow')
    const query = `SELECT * FROM (VALUES (1, 'VNM'), (2, 'FPT'), (3, NULL), (4, 'VNM'), (5, repeat('X', 300))) t(n, symbol) ORDER BY n`
    await exported({ source: { query }, out, format: 'arrow', profile: 'pandas' })
    const table = tableFromIPC(readFileSync(out))
    expect(String(table.schema.fields[1]?.type)).toBe('Dictionary<Int32, Utf8>')
    expect([...(table.getChild('symbol') ?? [])]).toEqual(['VNM', 'FPT', null, 'VNM', 'X'.repeat(300)])
  })
})

describe('text that a spreadsheet would run as a formula', () => {
  test('gets a leading apostrophe; numbers and other formats do not change', async () => {
    const query = `SELECT * FROM (VALUES ('=1+1', -1.5), ('+x', 1), ('-x', 2), ('@x', 3), (chr(9) || 'x', 4), ('a=b', 5), ('', 6)) t("=head", n) ORDER BY n`
    const folder = temporaryFolder()
    await exported({ source: { query }, out: join(folder, 'x.csv'), format: 'csv' })
    expect(lines(join(folder, 'x.csv'))).toEqual([
      `'=head,n`,
      `'=1+1,-1.5`,
      `'+x,1.0`,
      `'-x,2.0`,
      `'@x,3.0`,
      `'\tx,4.0`,
      'a=b,5.0',
      '"",6.0',
    ])
    await exported({ source: { query }, out: join(folder, 'x.ndjson'), format: 'ndjson' })
    expect(JSON.parse(lines(join(folder, 'x.ndjson'))[0] ?? '')).toEqual({ '=head': '=1+1', n: '-1.5' })
  })

  test.each(FORMAT_NAMES.filter((format) => FORMATS[format].values === 'text'))(
    'as %s it stands in no field and in no name, in any profile',
    async (format) => {
      for (const profile of PROFILES) {
        const out = join(temporaryFolder(), `x.${format}`)
        await exported({ source: { query: `SELECT '=1+1' AS "=head"` }, out, format, profile })
        expect([profile, readFileSync(out, 'utf8')]).toEqual([profile, `'=head\n'=1+1\n`])
      }
    },
  )
})

describe('filters', () => {
  test('--from, --to, --symbols and --timeframe apply to relations and to statements', async () => {
    const out = join(temporaryFolder(), 'x.parquet')
    const filters = { from: '2025-03-14', to: '2025-03-14', symbols: ['HPG', `it's`], timeframe: '1m' }
    const candles = await exported({
      source: { relation: 'market.candle' },
      out,
      ...filters,
      allowUnknown: true,
    })
    expect(candles).toMatchObject({ rows: 1, filters, publication: 1 })
    const query = 'SELECT symbol, trading_date, timeframe FROM market.candle ORDER BY opened_at; '
    expect(await exported({ source: { query }, out, ...filters, allowUnknown: true })).toMatchObject({
      rows: 1,
    })
    expect(await exported({ source: { query }, out, from: '2025-03-15' })).toMatchObject({ rows: 0 })
  })

  test.each<[Partial<ExportRequest>, string]>([
    [{ source: { relation: 'market.candles' } }, 'there is no relation market.candles'],
    [{ source: { relation: 'market.candle; DROP' } }, 'there is no relation market.candle; DROP'],
    [{ source: { relation: 'market.security' }, from: '2025-03-14' }, '--from needs a column trading_date'],
    [{ source: { relation: 'ops.run' }, symbols: ['HPG'] }, '--symbols needs a column symbol or index_code'],
    [{ from: '2025-03-15', to: '2025-03-14' }, '--from 2025-03-15 is after --to 2025-03-14'],
    [{ source: { query: 'SELECT 1; SELECT 2' } }, '2 statements'],
    [{ source: { query: 'COPY (SELECT 1) TO "x"' } }, 'only statements that read'],
    [{ source: { query: `SELECT * FROM read_csv('/etc/passwd')` } }, 'disabled by configuration'],
    [{ source: { query: 'SELECT nope FROM market.candle' } }, 'nope'],
    [{ source: { query: `SELECT error('no')` } }, 'no'],
    [{ partitionBy: 'nope' }, '--partition-by nope: column nope does not exist'],
    [{ source: { query: 'SELECT 1 AS n' }, partitionBy: 'n' }, '--partition-by n: it is the only column'],
    [
      { source: { query: 'SELECT i, i AS n FROM range(10001) r(i)' }, partitionBy: 'i' },
      'would write 10001 folders',
    ],
  ])('%j is refused, and no file is left', async (request, message) => {
    const folder = temporaryFolder()
    for (const format of ['parquet', 'arrow'] as const) {
      await expect(
        exported({ source: { relation: 'market.candle' }, out: join(folder, 'x'), format, ...request }),
      ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) })
    }
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('output files', () => {
  test('the manifest beside a file describes it, with its SHA-256', async () => {
    const out = join(temporaryFolder(), 'candle.csv')
    await exported({ source: { relation: 'market.candle' }, out, format: 'csv', timeframe: '1m' })
    const manifest = JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')) as ExportManifest
    expect(manifest).toMatchObject({
      format: 'candlehouse-export',
      source: { relation: 'market.candle' },
      file_format: 'csv',
      profile: 'exact',
      partition_by: null,
      exported_at: '2025-06-30T12:00:00.000Z',
      rows: 1,
    })
    expect(manifest.columns).toContainEqual({ name: 'open', type: 'DECIMAL(18,6)' })
    const bytes = readFileSync(out)
    expect(manifest.files).toEqual([
      {
        path: 'candle.csv',
        rows: 1,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    ])
    expect(readdirSync(join(out, '..')).sort()).toEqual(['candle.csv', 'candle.csv.manifest.json'])
  })

  test.each(FORMAT_NAMES)('%s by partition: a folder a value, the column in its name', async (format) => {
    const out = join(temporaryFolder(), 'parts')
    const query = `SELECT * FROM (VALUES ('HPG', 1), ('a/b c', 2), (NULL, 3), ('HPG', 4)) t(symbol, n) ORDER BY n`
    const manifest = await exported({ source: { query }, out, format, partitionBy: 'symbol' })
    expect(filesBelow(out)).toEqual([
      'manifest.json',
      `symbol=HPG/part-0.${format}`,
      `symbol=__HIVE_DEFAULT_PARTITION__/part-0.${format}`,
      `symbol=a%2Fb%20c/part-0.${format}`,
    ])
    expect(manifest).toMatchObject({ rows: 4, partition_by: 'symbol', columns: [{ name: 'n' }] })
    expect(manifest.files.map((file) => file.rows).sort()).toEqual([1, 1, 2])
  })

  test('by month, in Hive folders whose readers restore the column', async () => {
    const out = join(temporaryFolder(), 'parts')
    await exported({ source: { relation: 'market.candle' }, out, timeframe: '1m', partitionBy: 'month' })
    const database = await openMacros()
    expect(
      await database.rows(
        `SELECT symbol, month FROM read_parquet('${out}/**/*.parquet', hive_partitioning = true)`,
      ),
    ).toEqual([{ symbol: 'HPG', month: '2025-03' }])
  })

  test('a partitioned statement runs once', async () => {
    const out = join(temporaryFolder(), 'parts')
    const query = 'SELECT i, (random() * 3)::INTEGER AS part FROM range(1000) r(i)'
    const manifest = await exported({ source: { query }, out, partitionBy: 'part' })
    expect(manifest.rows).toBe(1000)
    const database = await openMacros()
    expect(
      await database.rows(`SELECT count(DISTINCT i) AS n FROM read_parquet('${out}/**/*.parquet')`),
    ).toEqual([{ n: 1000n }])
  })

  test('a former export is replaced as a whole; other folders are not touched', async () => {
    const folder = temporaryFolder()
    const [file, parts, other] = [join(folder, 'x.csv'), join(folder, 'parts'), join(folder, 'other')]
    const source = { query: 'SELECT 1 AS n, 2 AS part' }
    for (let round = 0; round < 2; round += 1) {
      await exported({ source, out: file, format: 'csv' })
      await exported({ source, out: parts, partitionBy: round === 0 ? 'part' : 'n' })
    }
    expect(filesBelow(parts)).toEqual(['manifest.json', 'n=1/part-0.parquet'])
    mkdirSync(other)
    writeFileSync(join(other, 'mine.txt'), 'mine')
    for (const request of [
      { out: other, partitionBy: 'n' },
      { out: other },
      { out: file, partitionBy: 'n' },
    ]) {
      await expect(exported({ source, ...request })).rejects.toMatchObject({
        exitCode: 2,
        hint: 'choose another --out',
      })
    }
    await expect(exported({ source, out: join(other, 'mine.txt', 'x') })).rejects.toMatchObject({
      exitCode: 6,
    })
    expect(readFileSync(join(other, 'mine.txt'), 'utf8')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['other', 'parts', 'x.csv', 'x.csv.manifest.json'])
  })

  test('a folder on which a disk is mounted is refused with one below it', async () => {
    const out = join(temporaryFolder(), 'out')
    await exported({ source: { query: 'SELECT 1 AS n, 2 AS m' }, out, format: 'csv', partitionBy: 'n' })
    const { disk, ...others } = evening()
    const rename = (from: string, to: string): void => {
      if (from === out)
        throw Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY', syscall: 'rename' })
      disk.rename(from, to)
    }
    const request = whole({
      source: { query: 'SELECT 2 AS n, 2 AS m' },
      out,
      format: 'csv',
      partitionBy: 'n',
    })
    await expect(
      exportRows(home, request, silent, { ...others, disk: { ...disk, rename } }),
    ).rejects.toMatchObject({
      exitCode: 6,
      message: `cannot replace ${out}: a disk is mounted on it, or a program uses it`,
      hint: expect.stringContaining(`--out ${join(out, 'export')}`),
    })
  })

  test('missing parent folders are created', async () => {
    const out = join(temporaryFolder(), 'exports', 'today', 'x.csv')
    await exported({ source: { query: 'SELECT 1 AS n' }, out, format: 'csv' })
    expect(existsSync(out)).toBe(true)
  })

  test('stops within a file, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    const stop = new AbortController()
    const reason = new Error('the client has gone')
    const query = 'SELECT a.range AS n FROM range(1000000000) a ORDER BY hash(n)'
    const request = whole({ source: { query }, out: join(folder, 'x.csv'), format: 'csv' })
    const progress = { ...silent, percent: () => stop.abort(reason), signal: stop.signal }
    await expect(exportRows(home, request, progress, evening())).rejects.toBe(reason)
    expect(readdirSync(folder)).toEqual([])
  })

  test('before the first publication the error names the command to run', async () => {
    const request = whole({ source: { relation: 'market.candle' }, out: join(temporaryFolder(), 'x') })
    await expect(exportRows(temporaryFolder(), request, silent, evening())).rejects.toMatchObject({
      exitCode: 6,
      hint: 'run candlehouse nightly',
    })
  })
})
