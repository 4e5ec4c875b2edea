import { describe, expect, test } from 'vitest'
import { startOfList } from '../../src/json/list-start.js'
import { JsonFault } from '../../src/json/scan.js'
import { elementTexts, memberTexts, recordTexts } from '../../src/json/source.js'
import { recordPattern } from '../../src/json/template.js'

describe('source texts', () => {
  test('of records are as the service wrote them', () => {
    expect(recordTexts(Buffer.from('{"n":1,"Data":[ {"a":1.50} , 20000000000000000001,"é" ]}'))).toEqual([
      '{"a":1.50}',
      '20000000000000000001',
      '"é"',
    ])
    expect(recordTexts(Buffer.from(' [ [1] ]'))).toEqual(['[1]'])
    expect(recordTexts(Buffer.from('{"code":204}'))).toEqual([])
    expect(() => recordTexts(Buffer.from('[1'))).toThrow(JsonFault)
  })

  test('of elements', () => {
    expect(elementTexts(' [ 1.0 , {"a": 1} ] ')).toEqual(['1.0', '{"a": 1}'])
    expect(elementTexts('[]')).toEqual([])
  })

  test('of members', () => {
    expect(memberTexts(' {"a": 1.0, "\\u00e9":"é" }')).toEqual([
      ['a', '1.0'],
      ['é', '"é"'],
    ])
    expect(memberTexts('{}')).toEqual([])
  })
})

describe('the start of the list', () => {
  test.each([
    [' [1]', 1],
    ['{"data":[1]}', 8],
    ['{"a":[0],"data" : [1]}', 18],
    ['{"data":{"data":[1]}}', undefined],
    ['{"Data":[1]}', undefined],
    ['{"rows":[1]}', undefined],
    ['{"data":1,"rows":[1]}', undefined],
    ['{}', undefined],
  ])('of %j is %j', (text, start) => {
    expect(startOfList(Buffer.from(text))).toBe(start)
  })

  test('is found in a page that is cut off behind it', () => {
    expect(startOfList(Buffer.from('{"n":1,"data":[{"a":'))).toBe(14)
    expect(() => startOfList(Buffer.from('{"n":1;"data":[]}'))).toThrow(JsonFault)
  })
})

describe('the pattern of a record', () => {
  const matches = (first: string, other: string): boolean => {
    const pattern = recordPattern(Buffer.from(first), 0)
    const text = Buffer.from(other).toString('latin1')
    return pattern?.test(text) === true && pattern.lastIndex === text.length
  }

  test('takes records with the same names, order and white space', () => {
    const first = '{"symbol": "FPT",\r\n "note":null}'
    expect(matches(first, '{"symbol": "Việt Nam",\r\n "note":"1"}')).toBe(true)
    expect(matches(first, '{"symbol": null,\r\n "note":null}')).toBe(true)
    expect(matches(first, '{"symbol":"FPT",\r\n "note":null}')).toBe(false)
    expect(matches(first, '{"symbol": "FPT",\n "note":null}')).toBe(false)
    expect(matches(first, '{"note": "FPT",\r\n "symbol":null}')).toBe(false)
    expect(matches(first, '{"symbol": 1,\r\n "note":null}')).toBe(false)
    expect(matches(first, '{"symbol": "F\\u0050T",\r\n "note":null}')).toBe(false)
    expect(matches(first, '{"symbol": "F\u0001T",\r\n "note":null}')).toBe(false)
    expect(matches('{"a.b[1]|/-":"1"}', '{"a.b[1]|/-":"2"}')).toBe(true)
    expect(matches('{"a.b":"1"}', '{"axb":"2"}')).toBe(false)
  })

  test.each([
    ['an array', '["a"]'],
    ['a text', '"a"'],
    ['an empty object', '{}'],
    ['an empty object with a space', '{ }'],
    ['a number', '{"a":1}'],
    ['a truth value', '{"a":true}'],
    ['an escape in a value', '{"a":"\\n"}'],
    ['an escape in a name', '{"\\u0061":"1"}'],
    ['a nested record', '{"a":{"b":"1"}}'],
    ['two fields of one name', '{"a":"1","A":"2"}'],
  ])('is none for %s', (_, first) => {
    expect(recordPattern(Buffer.from(first), 0)).toBeUndefined()
  })

  test('begins where the record does', () => {
    const page = Buffer.from('[{"a":"1"},{"a":"2"}]')
    const pattern = recordPattern(page, 11) as RegExp
    expect(pattern.source).toBe(recordPattern(page, 1)?.source)
    pattern.lastIndex = 11
    expect(pattern.test(page.toString('latin1'))).toBe(true)
    expect(pattern.lastIndex).toBe(20)
  })

  test('takes names whose capitals are the same as different ones', () => {
    expect(recordPattern(Buffer.from('{"ß":"1","ss":"2"}'), 0)).toBeDefined()
  })
})
