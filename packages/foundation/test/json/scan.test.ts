import { describe, expect, test } from 'vitest'
import { arrayMember, elementsAt, membersAt } from '../../src/json/members.js'
import { ENVELOPE_DEPTH, provePage } from '../../src/json/page.js'
import {
  endOfString,
  endOfValue,
  JsonFault,
  MAX_DEPTH,
  skipSpace,
  startOfMember,
} from '../../src/json/scan.js'

const bytes = (text: string): Buffer => Buffer.from(text)

/** The message of the fault that a function throws; fails where it throws none. */
function faultOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    expect(error.name).toBe('JsonFault')
    expect(error.message).toContain(`at byte ${error.at}`)
    return error.message
  }
  throw new Error('no fault')
}

describe('a value ends', () => {
  test.each([
    'true',
    'false',
    'null',
    '0',
    '-0',
    '-12',
    '907',
    '0.5',
    '-1.25',
    '1e5',
    '1E5',
    '0e0',
    '1e+05',
    '1E-12',
    '1.5e3',
    '""',
    '"é\u2028"',
    '"\\" \\\\ \\/ \\b \\f \\n \\r \\t"',
    '"\\u00e9\\uABCD\\uabcd\\u0909\\ufFaA"',
    '[]',
    '[ ]',
    '{}',
    '{ }',
    '[1]',
    '[1,2]',
    '[ 1 , "a" ,\tnull\r\n]',
    '{"a":1}',
    '{ "a" : 1 , "b" : [ { } , [ ] ] }',
    '[[],[[]],{"a":{"b":[]}}]',
  ])('behind %j, whatever follows', (value) => {
    expect(endOfValue(bytes(value), 0)).toBe(Buffer.byteLength(value))
    expect(endOfValue(bytes(`xy${value}]`), 2)).toBe(2 + Buffer.byteLength(value))
    expect(JSON.stringify(JSON.parse(value))).toBeDefined()
  })

  test('behind the first digit where digits may not follow', () => {
    expect(endOfValue(bytes('01'), 0)).toBe(1)
    expect(endOfValue(bytes('-01'), 0)).toBe(2)
    expect(endOfValue(bytes('1.2.3'), 0)).toBe(3)
    expect(endOfValue(bytes('1e2e3'), 0)).toBe(3)
    expect(endOfValue(bytes('1e5f'), 0)).toBe(3)
  })
})

describe('a fault says what is wrong and where', () => {
  test.each([
    ['', 'the text ends where a value should be at byte 0'],
    ['x', 'a value expected at byte 0'],
    ['+1', 'a value expected at byte 0'],
    ['.5', 'a value expected at byte 0'],
    ['/', 'a value expected at byte 0'],
    [':', 'a value expected at byte 0'],
    ['-', 'the text ends where a digit should be at byte 1'],
    ['-x', 'a digit expected at byte 1'],
    ['1.', 'the text ends where a digit should be at byte 2'],
    ['1.x', 'a digit expected at byte 2'],
    ['1e', 'the text ends where a digit should be at byte 2'],
    ['1e+', 'the text ends where a digit should be at byte 3'],
    ['1e-x', 'a digit expected at byte 3'],
    ['1e*5', 'a digit expected at byte 2'],
    ['trux', "'true' expected at byte 3"],
    ['tru', "the text ends where 'true' should be at byte 3"],
    ['fals', "the text ends where 'false' should be at byte 4"],
    ['fxlse', "'false' expected at byte 1"],
    ['nul', "the text ends where 'null' should be at byte 3"],
    ['nulL', "'null' expected at byte 3"],
    ['[1', "the text ends where ',' or ']' should be at byte 2"],
    ['[1}', "',' or ']' expected at byte 2"],
    ['[1 2]', "',' or ']' expected at byte 3"],
    ['[1,]', 'a value expected at byte 3'],
    ['[,1]', 'a value expected at byte 1'],
    ['{"a":1', "the text ends where ',' or '}' should be at byte 6"],
    ['{"a":1]', "',' or '}' expected at byte 6"],
    ['{"a" 1}', "':' expected at byte 5"],
    ['{"a"', "the text ends where ':' should be at byte 4"],
    ['{"a":}', 'a value expected at byte 5'],
    ['{"a":1,}', 'a string expected at byte 7'],
    ['{a:1}', 'a string expected at byte 1'],
    ['{', 'the text ends where a string should be at byte 1'],
    ['[', 'the text ends where a value should be at byte 1'],
    ['[{"a":1},2', "the text ends where ',' or ']' should be at byte 10"],
    ['"a', 'the text ends within a string at byte 2'],
    ['"a\\"', 'the text ends within a string at byte 4'],
    ['"\u001f"', 'a control character in a string at byte 1'],
    ['"\\x"', 'an unknown escape at byte 1'],
    ['"\\', 'an unknown escape at byte 1'],
    ['"\\u12g4"', 'an unfinished \\u escape at byte 1'],
    ['"\\u123`"', 'an unfinished \\u escape at byte 1'],
    ['"\\u123@"', 'an unfinished \\u escape at byte 1'],
    ['"\\u12', 'an unfinished \\u escape at byte 1'],
  ])('%j', (text, message) => {
    expect(faultOf(() => endOfValue(bytes(text), 0))).toBe(message)
    expect(() => JSON.parse(text)).toThrow()
  })

  test('a space is a blank, a tab or an end of line, and nothing else', () => {
    expect(skipSpace(bytes(' \t\r\n \u000bx'), 0)).toBe(5)
    expect(skipSpace(bytes('x  '), 1)).toBe(3)
    expect(skipSpace(bytes('x'), 0)).toBe(0)
  })

  test('a string and a member end behind their last byte', () => {
    expect(endOfString(bytes('x"ab" '), 1)).toBe(5)
    expect(startOfMember(bytes('{ "a" :  7}'), 2)).toBe(9)
    expect(faultOf(() => endOfString(bytes('abc'), 0))).toBe('a string expected at byte 0')
  })

  test('objects and arrays are nested at most so deeply', () => {
    const nested = (levels: number): Buffer => bytes(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    expect(endOfValue(nested(MAX_DEPTH), 0)).toBe(2 * MAX_DEPTH)
    // The innermost array is empty: it opens and closes at once, and still counts.
    expect(faultOf(() => endOfValue(nested(MAX_DEPTH + 1), 0))).toBe(
      `nested deeper than ${MAX_DEPTH} levels at byte ${MAX_DEPTH}`,
    )
  })
})

describe('members and elements', () => {
  /** All values that a generator gives, and what it returns at its end. */
  function drained<Value>(values: Generator<Value, number>): [Value[], number] {
    const all: Value[] = []
    for (;;) {
      const step = values.next()
      if (step.done) return [all, step.value]
      all.push(step.value)
    }
  }

  test('of an object are named without their escapes, and stand at their bytes', () => {
    expect(drained(membersAt(bytes(' {"\\u0061" : 1 , "é":[2]} '), 1))).toEqual([
      [
        { name: 'a', start: 13, end: 14 },
        { name: 'é', start: 22, end: 25 },
      ],
      26,
    ])
    expect(drained(membersAt(bytes('{ } '), 0))).toEqual([[], 3])
  })

  test('of an array stand at their bytes', () => {
    expect(drained(elementsAt(bytes('[ 1 , "a"] '), 0))).toEqual([
      [
        [2, 3],
        [6, 9],
      ],
      10,
    ])
    expect(drained(elementsAt(bytes('[ ] '), 0))).toEqual([[], 3])
  })

  test('are given until the text is wrong', () => {
    const members = membersAt(bytes('{"a":1;"b":2}'), 0)
    expect(members.next().value).toEqual({ name: 'a', start: 5, end: 6 })
    expect(faultOf(() => members.next())).toBe("',' or '}' expected at byte 6")
    const elements = elementsAt(bytes('[1;2]'), 0)
    expect(elements.next().value).toEqual([1, 2])
    expect(faultOf(() => elements.next())).toBe("',' or ']' expected at byte 2")
  })

  test('a list is found in any case, and only where it is an array', () => {
    const list = (text: string) => arrayMember(bytes(text), 0, 'data')
    expect(list('{"a":[1],"DaTa":[2]}')).toEqual({ name: 'DaTa', start: 16, end: 19 })
    expect(list('{"data":{"data":[]}}')).toBeUndefined()
    expect(list('{"rows":[1]}')).toBeUndefined()
  })
})

describe('a page', () => {
  const fault = (text: string): string => faultOf(() => provePage(bytes(text)))

  test('ends with its document', () => {
    expect(fault('[] x')).toBe('text after the document at byte 3')
    expect(fault('{"a":1}}')).toBe('text after the document at byte 7')
    expect(fault('1 1')).toBe('text after the document at byte 2')
  })

  test('has no two members of one name, at any depth of its envelope', () => {
    expect(fault('{"a":1,"A":2}')).toBe('a second member named "A" at byte 11')
    expect(fault('{"page":{"Straße":1,"straße":2}}')).toMatch(/^a second member named "straße"/)
    expect(fault('{"x":[{"a":1,"a":2}]}')).toBe('a second member named "a" at byte 17')
    // Capitals of both are SS.
    expect(provePage(bytes('{"ß":1,"ss":2}')).list).toBeUndefined()
  })

  test('has an envelope of at most so many levels', () => {
    const envelope = (levels: number): string => `{"a":${'['.repeat(levels)}1${']'.repeat(levels)}}`
    expect(provePage(bytes(envelope(ENVELOPE_DEPTH - 2))).list).toBeUndefined()
    expect(fault(envelope(ENVELOPE_DEPTH - 1))).toMatch(`nested deeper than ${ENVELOPE_DEPTH} levels at byte`)
    const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(provePage(bytes(objects(ENVELOPE_DEPTH - 1))).list).toBeUndefined()
    expect(fault(objects(ENVELOPE_DEPTH + 1))).toMatch('nested deeper')
  })

  test('has records between these bytes', () => {
    const { list, envelope } = provePage(bytes('{"n":1,"data":[ {"a":"1"} ]}'))
    expect(list).toEqual({ start: 15, end: 26, rows: 1, fields: ['a'], plain: true })
    expect(envelope).toEqual({ n: 1, data: [] })
    expect(provePage(bytes('{"data":[ ]}')).list).toEqual({
      start: 9,
      end: 10,
      rows: 0,
      fields: null,
      plain: true,
    })
    expect(provePage(bytes('[1]')).list).toEqual({ start: 1, end: 2, rows: 1, fields: null, plain: false })
    expect(provePage(bytes('[["a"]]')).list?.fields).toBeNull()
  })

  test.each(['{"data":null}', '{"data":{"a":"1"}}', '{"data":"[]"}'])('has no records in %s', (text) => {
    expect(provePage(bytes(text))).toEqual({ envelope: JSON.parse(text), list: undefined })
  })

  test('has its records in the member that is named', () => {
    const { list } = provePage(bytes('{"data":[1],"rows":[{"a":null}]}'), 'rows')
    expect(list).toMatchObject({ rows: 1, fields: ['a'], plain: true })
  })
})
