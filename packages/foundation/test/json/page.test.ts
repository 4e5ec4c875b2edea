import { describe, expect, test } from 'vitest'
import { LONG } from '../../../../test/support/long.js'
import { ENVELOPE_DEPTH, provePage } from '../../src/json/page.js'
import { endOfValue, JsonFault } from '../../src/json/scan.js'
import { mutations } from './mutations.js'

const record = (index: number): string =>
  `{"symbol":"FPT","tradingDate":"2025/03/14","open":"${27000 + index}","note":null}`
const page = (records: readonly string[]): string =>
  `{"pageSize":3,"pageIndex":1,"itemsCount":${records.length},"data":[${records.join(',')}]}`
const prove = (text: string) => provePage(Buffer.from(text))

describe('a page that is whole', () => {
  test('has as many rows as its list, its fields and its envelope', () => {
    const { envelope, list } = prove(page([record(1), record(2), record(3)]))
    expect(envelope).toEqual({ pageSize: 3, pageIndex: 1, itemsCount: 3, data: [] })
    expect(list).toMatchObject({
      rows: 3,
      fields: ['symbol', 'tradingDate', 'open', 'note'],
      plain: true,
    })
  })

  test('may be a bare array, an empty list, or an object without records', () => {
    expect(prove('[]').list).toMatchObject({ rows: 0, fields: null, plain: true })
    expect(prove(` [ ${record(1)} ] `).list).toMatchObject({ rows: 1, plain: true })
    expect(prove('{"code":204}')).toEqual({ envelope: { code: 204 }, list: undefined })
    expect(prove('null')).toEqual({ envelope: null, list: undefined })
  })

  test('may be pretty-printed, and its list may be named in any case', () => {
    const text = JSON.stringify(JSON.parse(page([record(1), record(2)]).replace('"data"', '"Data"')), null, 2)
    expect(prove(text).list).toMatchObject({ rows: 2, plain: false })
    expect(prove(text.replace('"Data"', '"data"')).list).toMatchObject({ rows: 2, plain: true })
  })

  test.each([
    ['a number in a later record', page([record(1), record(2).replace('"27002"', '9007199254740993.25')])],
    ['an escape in a later record', page([record(1), record(2).replace('FPT', '\\u0046PT')])],
    ['a lone surrogate', page([record(1), record(2).replace('FPT', '\\ud83d')])],
    [
      'another order of fields',
      page([record(1), '{"tradingDate":"x","symbol":"FPT","open":"1","note":null}']),
    ],
    ['a field more', page([record(1), record(2).replace('"note"', '"more":"1","note"')])],
    ['two fields of one name', page([record(1).replace('"note"', '"Open"'), record(2)])],
    ['a nested value', page([record(1), record(2).replace('null', '{"a":[1]}')])],
    ['an element that is not an object', page([record(1), '17'])],
  ])('is not plain with %s', (_, text) => {
    expect(prove(text).list?.plain).toBe(false)
  })
})

describe('a page that is not whole', () => {
  test.each([
    ['a bracket too many behind a middle record', page([record(1), `${record(2)}}`, record(3)])],
    ['a control character in a middle record', page([record(1), record(2).replace('FPT', 'F\u0001T')])],
    ['an escape JSON does not know', page([record(1), record(2).replace('FPT', '\\x46')])],
    ['two lists', page([record(1)]).replace('}]}', '}],"data":[]}')],
    ['two lists that differ in case', page([record(1)]).replace('}]}', '}],"DATA":[]}')],
    ['a trailing comma', page([record(1)]).replace('}]', '},]')],
    ['a second document', `${page([record(1)])}${page([record(1)])}`],
    ['its end missing', page([record(1)]).slice(0, -1)],
    ['NaN', page([record(1), record(2).replace('"27002"', 'NaN')])],
  ])('is refused: %s', (_, text) => {
    expect(() => prove(text)).toThrow(JsonFault)
  })

  test('is refused where it is not UTF-8, or nested beyond measure', () => {
    const bytes = Buffer.from(page([record(1)]))
    bytes[20] = 0xff
    expect(() => provePage(bytes)).toThrow('not UTF-8')
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(() => prove(deep)).toThrow(`nested deeper than ${ENVELOPE_DEPTH} levels`)
    expect(() => endOfValue(Buffer.from('['.repeat(100_000)), 0)).toThrow('nested deeper')
    const odd = record(1).replace('null', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)
    expect(prove(page([odd, record(2)])).list).toMatchObject({ rows: 2, plain: false })
  })
})

test('a damaged page is JSON for this reader exactly where it is JSON for JSON.parse', () => {
  let accepted = 0
  const wrong: unknown[] = []
  const count = LONG ? 20_000 : 2_500
  for (const text of mutations([page([record(1), record(2), record(3)]), `[${record(1)}]`], count, 1)) {
    const [whole, rows] = parsed(text)
    let proven: number | 'refused'
    try {
      proven = provePage(text).list?.rows ?? 0
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error
      if (error.message.includes('second member')) continue
      proven = 'refused'
    }
    if (proven !== (whole ? rows : 'refused')) wrong.push([text.toString('latin1'), proven, whole, rows])
    if (whole) accepted++
  }
  expect(wrong).toEqual([])
  expect(accepted).toBeGreaterThan(count / 10)
})

/** Whether JSON.parse takes the text, and how many records its list has. */
function parsed(text: Buffer): [whole: boolean, rows: number] {
  try {
    const value = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text),
    ) as unknown
    if (Array.isArray(value)) return [true, value.length]
    const data = Object.entries(value ?? {}).find(
      ([name, member]) => name.toLowerCase() === 'data' && Array.isArray(member),
    )
    return [true, data ? (data[1] as unknown[]).length : 0]
  } catch {
    return [false, 0]
  }
}
