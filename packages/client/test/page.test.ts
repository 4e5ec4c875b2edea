import { describe, expect, it } from 'vitest'
import { readPage } from '../src/page/read-page.js'

const read = (text: string) => readPage('ohlc', Buffer.from(text))

describe('reading a page without parsing it', () => {
  it.each<[string, string, number]>([
    ['flat records', '{"pageSize":2,"itemsCount":2,"data":[{"a":"1"},{"a":"2"}]}', 2],
    ['spaces around', ' {"data" : [ {"a":"1"},{"a":"2"} ] , "itemsCount":2} \n', 2],
    ['records on lines of their own', '{"itemsCount":2,"data":[\n  {"a":"1"},\n  {"a":"2"}\n]}', 2],
    ['nested records', '{"itemsCount":1,"data":[{"a":{"b":[1,2]}}]}', 1],
    ['braces in strings', '{"itemsCount":2,"data":[{"a":"{"},{"a":"]}"}]}', 2],
    ['an array after the records', '{"data":[{"a":"1"}],"itemsCount":1,"warnings":["x"]}', 1],
    ['data as a word in a record', '{"data":[{"data":"[1]"}],"itemsCount":1}', 1],
    ['none', '{"data":[],"itemsCount":0}', 0],
  ])('%s', (_, text, rows) => {
    expect(read(text).page).toMatchObject({ shape: 'data', rows })
  })

  it('the range of the list is the text between its brackets', () => {
    const text = '{"pageSize":2,"data":[{"a":"1"},{"a":"2"}],"itemsCount":2}'
    const [start, end] = read(text).page?.list ?? [0, 0]
    expect(text.slice(start, end)).toBe('{"a":"1"},{"a":"2"}')
  })

  it.each([
    ['cut in a record', '{"itemsCount":2,"data":[{"a":"1"},{"a":"2'],
    ['cut after a record', '{"itemsCount":2,"data":[{"a":"1"}'],
    ['cut before the end', '{"itemsCount":2,"data":[{"a":"1"}]'],
    ['a damaged last record', '{"itemsCount":2,"data":[{"a":"1"},{"a":"2}]}'],
    ['a damaged first record', '{"itemsCount":2,"data":[{"a:"1"},{"a":"2"}]}'],
    ['a missing comma', '{"itemsCount":2,"data":[{"a":"1"}{"a":"2"}]}'],
    ['two documents', '{"data":[{"a":"1"}]}{"data":[{"a":"1"}]}'],
    ['a trailing comma', '{"data":[{"a":"1"},]}'],
    ['no data', '{"itemsCount":2}'],
    ['a word', 'true'],
    ['ten thousand brackets', '['.repeat(10_000)],
  ])('%s is a fault', (_, text) => {
    expect(() => read(text)).toThrow()
  })

  it('a code in place of records is an error body, as text or number', () => {
    expect(read('{"code":204}')).toEqual({ error: { code: '204', message: '' } })
    expect(read('{"code":"400213","msg":"date\\u0007"}')).toEqual({
      error: { code: '400213', message: 'date\\u{7}' },
    })
  })
})
