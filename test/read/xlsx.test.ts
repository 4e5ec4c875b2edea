import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { openReader } from '../../src/duckdb/reader.js'
import { systemEffects } from '../../src/effects.js'
import { writeXlsx } from '../../src/read/xlsx/write.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

/** A value of every kind, as it is stored and as a workbook must have it; each is a column. */
const VALUES: readonly [name: string, sql: string, expected: unknown][] = [
  ['symbol', `'HPG'`, 'HPG'],
  ['price', '27350.000000::DECIMAL(18,6)', 27350],
  ['fraction', '-0.050000::DECIMAL(18,6)', -0.05],
  ['fifteen', '123456789.123456::DECIMAL(18,6)', 123456789.123456],
  ['sixteen', '1234567890.123456::DECIMAL(18,6)', '1234567890.123456'],
  ['money', '-12345678901234567890.1234::DECIMAL(24,4)', '-12345678901234567890.1234'],
  ['volume', '999999999999999', 999_999_999_999_999],
  ['huge', '9007199254740993', '9007199254740993'],
  ['ratio', '0.1::DOUBLE', 0.1],
  ['third', '(1 / 3)::DOUBLE', 1 / 3],
  ['nothing', `'NaN'::DOUBLE`, 'NaN'],
  ['flag', 'true', true],
  ['day', `DATE '2025-03-14'`, new Date('2025-03-14T00:00:00Z')],
  ['early', `DATE '1900-02-28'`, '1900-02-28'],
  // 16:15 in Vietnam.
  ['instant', `TIMESTAMPTZ '2025-03-14 09:15:00.25+00'`, new Date('2025-03-14T16:15:00.250Z')],
  ['local', `TIMESTAMP '2025-03-14 09:15:00'`, new Date('2025-03-14T09:15:00Z')],
  ['list', '[1, NULL, 2]', '[1,null,2]'],
  ['formula', `'=1+1'`, '=1+1'],
  ['command', `'@SUM(A1)'`, '@SUM(A1)'],
  ['minus', `'-2+3'`, '-2+3'],
  ['markup', `' <b> & "x" '`, ' <b> & "x" '],
  ['lines', `'a' || chr(10) || 'b'`, 'a\nb'],
  ['empty', `NULL`, null],
  ['=header', `'ế 🚀'`, 'ế 🚀'],
]
const QUERY = `SELECT ${VALUES.map(([name, sql]) => `${sql} AS "${name}"`).join(', ')}`

async function exported(query: string): Promise<string> {
  const cwd = temporaryFolder()
  const ran = await cli(['export', '--query', query, '--out', 'x.xlsx', '--home', home], { cwd })
  expect(ran.code, ran.stderr).toBe(0)
  return join(cwd, 'x.xlsx')
}

/** What a statement writes, straight to a file. */
async function written(sql: string, file: string): Promise<number> {
  const folder = temporaryFolder()
  const reader = await openReader(join(home, 'catalog.duckdb'), [folder])
  const stop = { signal: new AbortController().signal, effects: systemEffects }
  return await writeXlsx(reader, sql, file, { sheet: 'x', stop, onRows: () => undefined }).finally(() =>
    reader.close(),
  )
}

const python = process.env.PYTHON || 'python3'
const hasOpenpyxl = spawnSync(python, ['-c', 'import openpyxl']).status === 0

describe('an export to Excel', () => {
  test('has every value as another reader understands it: no digit is lost, no text is a formula', async () => {
    const workbook = await readXlsx(readFileSync(await exported(QUERY)))
    const [sheet] = workbook.sheets
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['query'])
    const [header, row] = sheet?.rows ?? []
    expect(header).toEqual(VALUES.map(([name]) => name))
    const values = VALUES.map(([name], index) => [name, row?.[index] ?? null])
    expect(values).toEqual(VALUES.map(([name, , expected]) => [name, expected]))
  })

  test.skipIf(!hasOpenpyxl)(
    `has a bold header that stays in place, a filter, widths, formats (needs openpyxl in ${python}; PYTHON names another)`,
    async () => {
      const file = await exported(`${QUERY} UNION ALL ${QUERY}`)
      const program = `import json, sys, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1]).active
row = {name.value: cell for name, cell in zip(sheet[1], sheet[2])}
print(json.dumps({
    "values": {name: str(cell.value) for name, cell in row.items()},
    "types": {name: cell.data_type for name, cell in row.items()},
    "formats": {name: cell.number_format for name, cell in row.items()},
    "guarded": [name for name, cell in row.items() if cell.quotePrefix],
    "bold": all(cell.font.b for cell in sheet[1]) and not any(cell.font.b for cell in sheet[2]),
    "frozen": sheet.freeze_panes, "filter": sheet.auto_filter.ref, "width": sheet.column_dimensions["O"].width,
}))`
      const { status, stdout, stderr } = spawnSync(python, ['-c', program, file], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      const seen = JSON.parse(stdout)
      expect(seen).toMatchObject({
        bold: true,
        frozen: 'A2',
        filter: 'A1:X3',
        guarded: ['money', 'formula', 'command', 'minus'],
        values: {
          day: '2025-03-14 00:00:00',
          instant: '2025-03-14 16:15:00.250000',
          sixteen: '1234567890.123456',
        },
        types: { day: 'd', instant: 'd', price: 'n', sixteen: 's', formula: 's', flag: 'b' },
        formats: { day: 'yyyy\\-mm\\-dd', price: '#,##0', fraction: '#,##0.0#####', formula: '@' },
      })
      expect(seen.width).toBeGreaterThan(19)
    },
  )

  test('of a relation is named after it, and chosen by the extension', async () => {
    const cwd = temporaryFolder()
    const args = [
      'export',
      'account.derivative_position_summary',
      '--out',
      'x.xlsx',
      '--home',
      home,
      '--json',
    ]
    const ran = await cli(args, { cwd })
    expect(ran.json()).toMatchObject({ file_format: 'xlsx', files: [{ path: 'x.xlsx' }] })
    const { sheets } = await readXlsx(readFileSync(join(cwd, 'x.xlsx')))
    expect(sheets[0]?.name).toBe('account.derivative_position_sum')
  })

  test('has rows of many chunks in order, and an empty result as its header', async () => {
    const folder = temporaryFolder()
    const [many, none] = [join(folder, 'many.xlsx'), join(folder, 'none.xlsx')]
    expect(await written('SELECT i, i * 2 AS twice FROM range(5000) r(i) ORDER BY i', many)).toBe(5000)
    const rows = (await readXlsx(readFileSync(many))).sheets[0]?.rows ?? []
    expect(rows).toEqual([['i', 'twice'], ...Array.from({ length: 5000 }, (_, i) => [i, i * 2])])
    expect(await written('SELECT 1 AS a WHERE false', none)).toBe(0)
    expect((await readXlsx(readFileSync(none))).sheets[0]?.rows).toEqual([['a']])
  })

  test.each([
    ['SELECT i FROM range(1048576) r(i)', '1,048,576 rows do not fit', 'another format: --out FILE.csv'],
    [`SELECT 'a' AS t UNION ALL SELECT repeat('x', 32768)`, 'a text of 32,768 characters', '--out FILE.csv'],
  ])(
    'that a sheet cannot hold is refused, with what to type, and leaves nothing: %s',
    async (query, words, hint) => {
      const cwd = temporaryFolder()
      const ran = await cli(['export', '--query', query, '--out', 'x.xlsx', '--home', home], { cwd })
      expect([ran.code, ran.stdout]).toEqual([2, ''])
      expect(ran.stderr).toContain(words)
      expect(ran.stderr).toContain(hint)
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test('characters that XML does not have, and text that looks like their escape, come back', async () => {
    const file = join(temporaryFolder(), 'x.xlsx')
    await written(`SELECT 'a' || chr(1) || 'b' AS t, '_x0041_' AS u, chr(13) AS v`, file)
    const [, row] = (await readXlsx(readFileSync(file))).sheets[0]?.rows ?? []
    expect(row).toEqual(['a\u0001b', '_x0041_', '\r'])
  })

  test.skipIf(!existsSync('/dev/full'))('a full disk is a failure of storage', async () => {
    await expect(written('SELECT i FROM range(200000) r(i)', '/dev/full')).rejects.toThrow(StorageError)
    await expect(written('SELECT nothing', '/dev/full')).rejects.toThrow(UsageError)
  })
})
