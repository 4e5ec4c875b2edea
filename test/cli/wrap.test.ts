import { expect, test } from 'vitest'
import {
  autoWriter,
  type ResultWriter,
  rowsInTime,
  tableWriter,
  verticalWriter,
} from '../../src/cli/render/result.js'
import { renderRecords, renderTable } from '../../src/cli/render/table.js'
import { wrapCell } from '../../src/cli/render/wrap.js'

const columns = [{ title: 'setting' }, { title: 'count', right: true }, { title: 'meaning' }]
const rows = [
  ['HOME', '1,234', 'folder of the warehouse and of the raw pages'],
  ['RETAIN', '7', 'days that files stay'],
]

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['a abcdefgh', 4, ['a', 'abcd', 'efgh']],
  ['cộng hòa xã', 4, ['cộng', 'hòa', 'xã']],
  ['', 4, ['']],
  ['cộng hòa'.normalize('NFD'), 4, ['cộng'.normalize('NFD'), 'hòa'.normalize('NFD')]],
  ['cộng'.normalize('NFD'), 2, ['cộ'.normalize('NFD'), 'ng']],
  ['中文報紙', 5, ['中文', '報紙']],
])('%j in %i columns is %j', (text, width, lines) => expect(wrapCell(text, width)).toEqual(lines))

test('columns stand below each other where letters have marks of their own, or are two columns wide', () => {
  const names = [
    ['Việt'.normalize('NFD'), 'a'],
    ['中文 😀', 'b'],
    ['Hợp đồng', 'c'],
  ]
  expect(
    renderTable([{ title: 'name' }, { title: 'x' }], names)
      .normalize('NFC')
      .split('\n'),
  ).toEqual(['name      x', '────────  ─', 'Việt      a', '中文 😀   b', 'Hợp đồng  c'])
})

test('a table that fits, and one for no terminal, has one line per row', () => {
  const plain = renderTable(columns, rows)
  expect(plain.split('\n')).toHaveLength(4)
  expect(renderTable(columns, rows, 80)).toBe(plain)
})

test('a table for a narrower terminal wraps its longest texts and cuts nothing', () => {
  expect(renderTable(columns, rows, 40).split('\n')).toEqual([
    'setting  count  meaning',
    '───────  ─────  ────────────────────────',
    'HOME     1,234  folder of the warehouse',
    '                and of the raw pages',
    'RETAIN       7  days that files stay',
  ])
})

test('a table that cannot be that narrow is a list of its values', () => {
  expect(renderTable(columns, rows.slice(1), 20)).toBe(
    'setting  RETAIN\ncount    7\nmeaning  days that files\n         stay',
  )
  expect(renderRecords(columns, rows).split('\n\n')).toHaveLength(2)
})

const types = [
  { name: 'opened_at', type: 'TIMESTAMP WITH TIME ZONE' },
  { name: 'close', type: 'DECIMAL(18,6)' },
]

test('a table shows instants in exchange time, with every digit of theirs', () => {
  const writer = tableWriter()
  writer.begin(types)
  const [, , first, second, third] = writer
    .rows([
      ['2025-03-14T02:15:00Z', '1.000000'],
      ['2025-03-14T18:15:00.123456Z', '2.000000'],
      ['infinity', '3.000000'],
    ])
    .split('\n')
  expect(first).toBe('2025-03-14 09:15:00+07         1.000000')
  expect(second).toBe('2025-03-15 01:15:00.123456+07  2.000000')
  expect(third).toMatch(/^infinity +3/)
})

test('on a terminal numbers are grouped and without zeros at the end; a pipe has them exact', () => {
  const columns = [
    { name: 'close', type: 'DECIMAL(18,6)' },
    { name: 'year', type: 'BIGINT' },
    { name: 'code', type: 'VARCHAR' },
  ]
  const linesOf = (writer: ResultWriter) => {
    writer.begin(columns)
    return writer
      .rows([['27000.500000', '2025', '1000']])
      .split('\n')
      .slice(2)
  }
  expect(linesOf(autoWriter(80))).toEqual(['27,000.5  2025  1000', ''])
  expect(linesOf(tableWriter('grouped'))).toEqual(['27,000.5  2025  1000', ''])
  expect(linesOf(tableWriter())).toEqual(['27000.500000  2025  1000', ''])
  expect(linesOf(verticalWriter(80))).toContain('code   1000')
})

test('text that only looks like an instant stays as it is', () => {
  const writer = tableWriter()
  writer.begin([{ name: 'old', type: 'VARCHAR' }])
  expect(writer.rows([['2025-03-14T02:15:00Z']])).toContain('2025-03-14T02:15:00Z')
})

test('a result that is wider than the terminal has one value per line, over several chunks', () => {
  const wide = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'VARCHAR' }))
  const writer = autoWriter(30)
  writer.begin(wide)
  const row = ['0123456789', '0123456789', '0123456789', '0123456789']
  expect(writer.rows([row]) + writer.rows([row]) + writer.end()).toBe(
    [
      'a  0123456789',
      'b  0123456789',
      'c  0123456789',
      'd  0123456789',
      '',
      'a  0123456789',
      'b  0123456789',
      'c  0123456789',
      'd  0123456789',
      '',
    ].join('\n'),
  )
})

test('a result whose only long text can wrap stays a table', () => {
  const writer = autoWriter(20)
  writer.begin(['name', 'comment'].map((name) => ({ name, type: 'VARCHAR' })))
  expect(writer.rows([['x', 'one two three four']])).toBe(
    'name  comment\n────  ──────────────\nx     one two three\n      four\n',
  )
})

test.each([tableWriter, () => verticalWriter(80), () => autoWriter(80)])(
  'a result without rows says so',
  (create) => {
    const writer = create()
    writer.begin(types)
    expect(writer.end()).toBe('opened_at  close\n─────────  ─────\n(no rows)\n')
  },
)

test('times of statements are in seconds', () => {
  expect([rowsInTime(1, 34.4), rowsInTime(1234, 12_000)]).toEqual(['1 row in 0.034 s', '1,234 rows in 12 s'])
})
