import { describe, expect, test } from 'vitest'
import { headOf } from '../../src/mine/view-head.js'

describe('the head of a file', () => {
  test('describes the view and its columns; a description goes on until the next one or an empty line', () => {
    const text = [
      '-- Turnover by board,',
      '-- of one session.',
      '-- board: Where it is listed:',
      '--   HOSE, HNX or UPCOM.',
      '-- VND: no column has this name.',
      '--',
      '-- Not for readers.',
      '-- turnover: VND.',
      'SELECT board, turnover FROM x -- a: b',
    ].join('\n')
    const { comment, columns } = headOf(text, ['board', 'turnover', 'a'])
    expect(comment).toBe('Turnover by board, of one session.')
    expect([...columns]).toEqual([
      ['board', 'Where it is listed: HOSE, HNX or UPCOM. VND: no column has this name.'],
      ['turnover', 'VND.'],
    ])
  })

  test.each([
    ['/* One block,\n * of two lines. */ SELECT 1', 'One block, of two lines.'],
    ['\n\n--One line\nSELECT 1', 'One line'],
    ['SELECT 1 -- behind', ''],
    ['', ''],
    ['-- only a comment', 'only a comment'],
  ])('of %j is %j', (text, comment) => {
    expect(headOf(text, []).comment).toBe(comment)
  })
})
