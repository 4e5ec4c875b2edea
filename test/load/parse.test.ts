import { describe, expect, test } from 'vitest'
import { openMacros } from '../support/landed.js'
import { numberTexts } from './number-texts.js'

async function parsed(
  macro: string,
  texts: readonly (string | null)[],
): Promise<Record<string, string | null>> {
  const database = await openMacros()
  const rows = await database.rows<{ t: string; v: string | null }>(
    `SELECT t, CAST(${macro}(t) AS VARCHAR) AS v FROM unnest([${texts.map((t) => (t === null ? 'NULL' : `'${t}'`)).join(', ')}]) AS one(t)`,
  )
  return Object.fromEntries(rows.map((row) => [row.t, row.v]))
}

// Every number form of fault P6: TRY_CAST alone takes several of these.
const NEVER = [
  'NaN',
  'nan',
  'Infinity',
  '-inf',
  '1e400',
  '1e3',
  '-',
  '0x10',
  '1_000',
  '1,23',
  '12,34.5',
  ',123',
  '1,234,56',
  '+5',
  '.5',
  '5.',
  ' 5',
  '5 ',
  'five',
  '١٢',
]

describe('strict numbers', () => {
  test('prices: plain decimals and correct thousands separators, six decimals, twelve digits', async () => {
    expect(
      await parsed('parse_price', [
        '27050',
        '27050.5',
        '-3.25',
        '1,234.5',
        '1,234,567.000001',
        '0.1000000000',
        '007',
        '999999999999.999999',
        '0',
      ]),
    ).toEqual({
      '27050': '27050.000000',
      '27050.5': '27050.500000',
      '-3.25': '-3.250000',
      '1,234.5': '1234.500000',
      '1,234,567.000001': '1234567.000001',
      '0.1000000000': '0.100000',
      '007': '7.000000',
      '999999999999.999999': '999999999999.999999',
      '0': '0.000000',
    })
    const refused = [...NEVER, '1.1234567', '1000000000000', '12345678901234567890']
    expect(await parsed('parse_price', refused)).toEqual(
      Object.fromEntries(refused.map((text) => [text, null])),
    )
  })

  test('quantities: whole numbers, also written with a zero fraction', async () => {
    expect(
      await parsed('parse_quantity', [
        '1234',
        '1234.0',
        '2,493,089',
        '-7',
        '9223372036854775807',
        '0',
        '1,000.00',
      ]),
    ).toEqual({
      '1234': '1234',
      '1234.0': '1234',
      '2,493,089': '2493089',
      '-7': '-7',
      '9223372036854775807': '9223372036854775807',
      '0': '0',
      '1,000.00': '1000',
    })
    const refused = [...NEVER, '12.6', '9223372036854775808', '12345678901234567890']
    expect(await parsed('parse_quantity', refused)).toEqual(
      Object.fromEntries(refused.map((text) => [text, null])),
    )
  })

  test('money holds four decimals, the value of a candle two, a ratio any number of them', async () => {
    expect(await parsed('parse_money', ['12345678901234567890.1234', '1.12345', '1,000.5'])).toEqual({
      '12345678901234567890.1234': '12345678901234567890.1234',
      '1.12345': null,
      '1,000.5': '1000.5000',
    })
    expect(await parsed('parse_candle_value', ['32460000.25', '1.125', '1.120'])).toEqual({
      '32460000.25': '32460000.25',
      '1.125': null,
      '1.120': '1.12',
    })
    expect(await parsed('parse_ratio', ['-1.2345678', '1,234.5', ...NEVER])).toMatchObject({
      '-1.2345678': '-1.2345678',
      '1,234.5': '1234.5',
      ...Object.fromEntries(NEVER.map((text) => [text, null])),
    })
  })
})

/** What a macro is to give: digits before and after the point, by arithmetic without rounding; null where it refuses. */
function exactly(text: string, before: number, after: number, separators: number): string | null {
  const [, sign = '', digits = '', fraction = ''] =
    /^(-?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text) ?? []
  const whole = digits.replaceAll(',', '').replace(/^0+(?=.)/, '')
  const kept = fraction.replace(/0+$/, '')
  const groups = digits.split(',').length - 1
  if (digits === '' || kept.length > after || whole.length > before || groups > separators) return null
  const scaled = BigInt(whole + kept.padEnd(after, '0'))
  const padded = String(scaled).padStart(after + 1, '0')
  return `${scaled === 0n ? '' : sign}${padded.slice(0, -after)}.${padded.slice(-after)}`
}

describe('wide decimals', () => {
  test('4,000 texts of up to 26 digits are read as exact arithmetic reads them', async () => {
    const texts = numberTexts(4000, 15)
    const price = await parsed('parse_price', texts)
    const money = await parsed('parse_money', texts)
    expect(money).toEqual(Object.fromEntries(texts.map((text) => [text, exactly(text, 20, 4, 6)])))
    expect(price).toEqual(Object.fromEntries(texts.map((text) => [text, exactly(text, 12, 6, 3)])))
    expect(Object.values(money).filter((value) => value === null).length).toBeGreaterThan(500)
    expect(
      Object.values(money).filter((value) => value !== null && value.length > 20).length,
    ).toBeGreaterThan(50)
  })
})

describe('strict dates', () => {
  test('the closed list of formats; without an offset the text is exchange time', async () => {
    expect(
      await parsed('parse_local_time', [
        '2025/03/14',
        '2025-03-14',
        '14/03/2025',
        '2025/03/14 09:15:00',
        '2025-03-14T09:15:00',
        '14/03/2025 09:15:00',
        '2025-03-14T02:15:00Z',
        '2025-03-14T09:15:00+07:00',
        '2024/02/29',
      ]),
    ).toEqual({
      '2025/03/14': '2025-03-14 00:00:00',
      '2025-03-14': '2025-03-14 00:00:00',
      '14/03/2025': '2025-03-14 00:00:00',
      '2025/03/14 09:15:00': '2025-03-14 09:15:00',
      '2025-03-14T09:15:00': '2025-03-14 09:15:00',
      '14/03/2025 09:15:00': '2025-03-14 09:15:00',
      '2025-03-14T02:15:00Z': '2025-03-14 09:15:00',
      '2025-03-14T09:15:00+07:00': '2025-03-14 09:15:00',
      '2024/02/29': '2024-02-29 00:00:00',
    })
  })

  test('days and times that do not exist, and forms outside of the list, are refused', async () => {
    const refused = [
      '2025/02/29',
      '2025/02/30',
      '2025/13/01',
      '31/04/2025',
      '2025/3/14',
      '14-03-2025',
      '20250314',
      '2025/03/14 24:00:00',
      '2025/03/14 09:60:00',
      '2025/03/14 09:15',
      '03/14/2025',
      'today',
      '0000/00/00',
      '1741918500',
    ]
    expect(await parsed('parse_local_time', refused)).toEqual(
      Object.fromEntries(refused.map((text) => [text, null])),
    )
  })
})
