import { describe, expect, test } from 'vitest'
import { ruleHeadOf } from '../../src/mine/rule-head.js'

const HEAD = ['-- rule: 1001', '-- title: bars have a volume', '-- severity: warn']

describe('the head of a rule of the user’s own', () => {
  test('has its number, title and severity; the rest may be left out', () => {
    expect(ruleHeadOf([...HEAD, 'SELECT 1'].join('\n'))).toEqual({
      number: 1001,
      title: 'bars have a volume',
      severity: 'warn',
      about: 'market',
      back: 0,
      needs: 'rows that it can check',
      why: '',
    })
    const whole = [
      ...HEAD.slice(0, 2),
      '--   of at least one',
      '-- severity: error',
      '-- reach: back 30 days',
      '-- about: accounts',
      '--',
      '-- not of the head',
      'SELECT 1 -- why: no',
    ]
    expect(ruleHeadOf(whole.join('\n'))).toMatchObject({
      title: 'bars have a volume of at least one',
      severity: 'error',
      back: 30,
      about: 'accounts',
      why: '',
    })
  })

  test.each([
    ['rule', '-- rule: 12', /no number of its own: rule 12/],
    ['rule', '-- rule: x', /no number/],
    ['title', '-- title:', /no title/],
    ['severity', '-- severity: fatal', /severity is fatal/],
    ['reach', '-- reach: back 400 days', /reach is back 400 days/],
    ['about', '-- about: equity', /about equity/],
  ])('with another %s says what to write: %s', (key, line, words) => {
    const lines = HEAD.filter((each) => !each.startsWith(`-- ${key}:`))
    expect(ruleHeadOf([...lines, line].join('\n'))).toEqual({
      wrong: expect.stringMatching(words),
      next: expect.stringContaining('write'),
    })
  })
})
