import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { recipes } from '../../src/mcp/packaged-docs.js'
import { packageRoot } from '../../src/package.js'
import { homeWithAccounts } from '../mcp/support/served.js'
import { temporaryFolder } from '../support/folder.js'

let home: string
beforeAll(async () => {
  home = await homeWithAccounts()
})

/** What the program prints about answers, each a question and its statement. */
function measured(answers: readonly (readonly [question: string, sql: string])[]): string[] {
  const file = join(temporaryFolder(), 'answers.jsonl')
  writeFileSync(file, answers.map(([question, sql]) => JSON.stringify({ question, sql })).join('\n'))
  const program = join(packageRoot, 'examples/questions/measure.mjs')
  const printed = execFileSync(process.execPath, [program, file, '--home', home], { encoding: 'utf8' })
  return printed.trim().split('\n')
}

test('a model is measured by the rows of its statements, whatever their order and the names of their columns', () => {
  const right = (number: number): string => recipes()[number - 1]?.sql ?? ''
  const answers = [
    ['en-69', right(69)],
    ['vi-69', `select total_match_value as v, symbol as ma from (${right(69)}) limit 5`],
    [
      'en-81',
      `select count(*) n, board b, kind k from mart.instrument where is_listed group by all order by n`,
    ],
    ['vi-81', 'select kind, board, count(*) + 1 as n from mart.instrument where is_listed group by all'],
    ['en-91', 'select value from mart.market_rule'],
    ['vi-91', 'select prise from mart.market_rule'],
  ] as const
  expect(measured(answers)).toEqual([
    'vi-81: wrong',
    'en-91: wrong',
    expect.stringMatching(/^vi-91: failed: .*prise/),
    'en: 2 right, 1 wrong, 0 failed',
    'vi: 1 right, 1 wrong, 1 failed',
  ])
})
