import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { percent, readExplained, readFloors, shortfalls } from './report.js'
import { filesOf, SCOPES } from './scopes.js'
import { mutated, mutationsOf } from './sql-mutations.js'

/** Mutants of a statement: the kind, and the statement with the fault. */
const mutants = (sql: string): string[] =>
  mutationsOf(sql).map((mutation) => `${mutation.kind}: ${mutated(sql, mutation)}`)

describe('mutants of SQL', () => {
  test.each<[string, string[]]>([
    [
      'SELECT a.x FROM a LEFT JOIN b ON b.x = a.x AND b.y = a.y',
      [
        'LEFT JOIN to JOIN: SELECT a.x FROM a JOIN b ON b.x = a.x AND b.y = a.y',
        'join key dropped: SELECT a.x FROM a LEFT JOIN b ON true AND b.y = a.y',
        'AND to OR: SELECT a.x FROM a LEFT JOIN b ON b.x = a.x OR b.y = a.y',
        'join key dropped: SELECT a.x FROM a LEFT JOIN b ON b.x = a.x AND true',
      ],
    ],
    [
      'FROM a JOIN b USING (x, y)',
      [
        'JOIN to LEFT JOIN: FROM a LEFT JOIN b USING (x, y)',
        'join key dropped: FROM a JOIN b USING (x)',
        'join key dropped: FROM a JOIN b USING (y)',
      ],
    ],
    [
      'FROM a WHERE x < y AND (p OR q)',
      [
        'filter negated: FROM a WHERE NOT (x < y) AND (p OR q)',
        'filter dropped: FROM a WHERE true AND (p OR q)',
        'bound moved: FROM a WHERE x <= y AND (p OR q)',
        'AND to OR: FROM a WHERE x < y OR (p OR q)',
        'filter negated: FROM a WHERE x < y AND NOT ((p OR q))',
        'filter dropped: FROM a WHERE x < y AND true',
        'OR to AND: FROM a WHERE x < y AND (p AND q)',
      ],
    ],
    [
      'SELECT f(d) BETWEEN lo AND hi',
      ['BETWEEN edge: SELECT (f(d) > lo AND f(d) <= hi)', 'BETWEEN edge: SELECT (f(d) >= lo AND f(d) < hi)'],
    ],
    [
      'SELECT lag(x) OVER (PARTITION BY s ORDER BY d DESC, e ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
      [
        'lag and lead: SELECT lead(x) OVER (PARTITION BY s ORDER BY d DESC, e ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
        'ORDER BY direction: SELECT lag(x) OVER (PARTITION BY s ORDER BY d ASC, e ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
        'ORDER BY direction: SELECT lag(x) OVER (PARTITION BY s ORDER BY d DESC, e DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
        'constant changed: SELECT lag(x) OVER (PARTITION BY s ORDER BY d DESC, e ROWS BETWEEN 0 PRECEDING AND CURRENT ROW)',
        'constant changed: SELECT lag(x) OVER (PARTITION BY s ORDER BY d DESC, e ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)',
      ],
    ],
    [
      'SELECT coalesce(max(x), y), count(DISTINCT z)',
      [
        'COALESCE dropped: SELECT (max(x)), count(DISTINCT z)',
        'min and max: SELECT coalesce(min(x), y), count(DISTINCT z)',
        'DISTINCT dropped: SELECT coalesce(max(x), y), count( z)',
      ],
    ],
    [
      "SELECT CASE WHEN x IS NULL THEN 'a AND b' WHEN y IS NOT DISTINCT FROM z THEN p - q END",
      [
        "IS NULL turned around: SELECT CASE WHEN x IS NOT NULL THEN 'a AND b' WHEN y IS NOT DISTINCT FROM z THEN p - q END",
        "IS NULL turned around: SELECT CASE WHEN x IS NULL THEN 'a AND b' WHEN y IS DISTINCT FROM z THEN p - q END",
        "sign changed: SELECT CASE WHEN x IS NULL THEN 'a AND b' WHEN y IS NOT DISTINCT FROM z THEN p + q END",
      ],
    ],
    // Documentation, types and comments have no behaviour; a template keeps its parts.
    ['CREATE OR REPLACE VIEW v AS SELECT x::DECIMAL(18, 6) -- x > 1\n', []],
    ["COMMENT ON COLUMN v.x IS '1 < 2'; COMMENT ON VIEW v IS NULL", []],
    ['SELECT EXISTS (SELECT 1 FROM a)', []],
    ['FROM a WHERE x IN ($keys)', ['filter negated: FROM a WHERE NOT (x IN ($keys))']],
  ])('of %j', (sql, expected) => {
    expect(mutants(sql)).toEqual(expected)
  })
})

describe('floors', () => {
  const floors = readFloors()
  const mutatedFiles = SCOPES.flatMap(filesOf)

  test('are of files that are mutated, and explained survivors too', () => {
    const explained = readExplained().map(({ file }) => file)
    const floored = Object.keys(floors)
    const gone = [
      ...floored.filter((file) => !mutatedFiles.includes(file)),
      ...explained.filter((file) => !existsSync(join(packageRoot, file))),
    ]
    expect(
      gone.map((file) => `${file} is gone: take it from floors.json and explained.json of test/mutation`),
    ).toEqual([])
  })

  test('name a file that falls below, and one without a floor', () => {
    const score = { file: 'a.ts', killed: 8, survived: 2, date: '2025-03-14', commit: 'abc' }
    expect(percent(score)).toBe(80)
    expect(shortfalls([score], { 'a.ts': 80 })).toEqual([])
    expect(shortfalls([score], { 'a.ts': 81 })).toEqual([
      'a.ts: 80.0 % of the mutants are noticed, its floor is 81 %',
    ])
    expect(shortfalls([score], {})).toEqual(['a.ts has no floor: RAISE=1 make mutate FILES=a.ts'])
  })
})
