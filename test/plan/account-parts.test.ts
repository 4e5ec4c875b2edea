import { describe, expect, test } from 'vitest'
import { type PartRequest, planAccounts, planHoldings, planRest } from '../../src/plan/account-parts.js'

const DAY = '2025-03-14'
const OF_DAY = { from: DAY, to: DAY, price: undefined }
const NO_EARLIER = { latestComplete: new Map<string, string>(), endedConditionals: new Set<string>() }

const shown = (requests: readonly PartRequest[]): string[] =>
  requests.map(({ part, account, key, from, to }) => [part, account, key, from, to].join(' '))

describe('a snapshot', () => {
  test('begins with the list of accounts, which belongs to none of them', () => {
    expect(planAccounts(DAY)).toEqual({
      ...OF_DAY,
      part: 'accountInfo',
      account: '',
      key: '*',
    })
  })

  test('reads positions and conditional orders of every account, and details of derivative accounts alone', () => {
    const accounts = [
      { account: '001', type: 'CASH' },
      { account: '008', type: 'DERIVATIVE' },
      { account: '009', type: undefined },
    ]
    const request = (part: string, account: string): object => ({
      ...OF_DAY,
      part,
      account,
      key: account,
    })
    expect(planHoldings(accounts, DAY)).toEqual([
      request('position', '001'),
      request('fcoList', '001'),
      request('position', '008'),
      request('positionDetail', '008'),
      request('fcoList', '008'),
      request('position', '009'),
      request('fcoList', '009'),
    ])
  })

  test('then reads orders of one year, margin and balance of an account without holdings', () => {
    const rest = planRest(
      [{ account: '001', type: 'CASH' }],
      { positions: [], conditionals: [] },
      NO_EARLIER,
      DAY,
    )
    expect(rest).toEqual([
      {
        ...OF_DAY,
        part: 'orderBook',
        account: '001',
        key: '001',
        from: '2024-03-14',
      },
      {
        ...OF_DAY,
        part: 'ppmmrAccount',
        account: '001',
        key: '001',
      },
      { ...OF_DAY, part: 'accountBalance', account: '001', key: '001' },
    ])
  })

  test('reads orders of each account since its own latest complete snapshot', () => {
    const accounts = ['001', '002'].map((account) => ({ account, type: 'CASH' }))
    const earlier = { ...NO_EARLIER, latestComplete: new Map([['002', '2025-03-12']]) }
    const rest = planRest(accounts, { positions: [], conditionals: [] }, earlier, DAY)
    expect(shown(rest).filter((line) => line.startsWith('orderBook'))).toEqual([
      `orderBook 001 001 2024-03-14 ${DAY}`,
      `orderBook 002 002 2025-03-12 ${DAY}`,
    ])
  })

  test('reads the history of conditional orders that had not ended before', () => {
    const conditionals = [
      { account: '001', fcoId: 'a' },
      { account: '001', fcoId: 'b' },
    ]
    const earlier = { ...NO_EARLIER, endedConditionals: new Set(['a']) }
    expect(planRest([], { positions: [], conditionals }, earlier, DAY)).toEqual([
      { ...OF_DAY, part: 'fcoStatusHistory', account: '001', key: 'b' },
    ])
  })

  test('reads the maximum quantity of symbols whose close is known, at that close', () => {
    const positions = [
      { account: '001', symbol: 'FPT', close: '97500' },
      { account: '001', symbol: 'NEW', close: undefined },
    ]
    expect(planRest([], { positions, conditionals: [] }, NO_EARLIER, DAY)).toEqual([
      {
        ...OF_DAY,
        part: 'maxBuySell',
        account: '001',
        key: 'FPT',
        price: '97500',
      },
    ])
  })

  test('requests histories and quantities first: the last page of an account closes its snapshot', () => {
    const holdings = {
      positions: [{ account: '001', symbol: 'FPT', close: '97500' }],
      conditionals: [{ account: '001', fcoId: 'a' }],
    }
    const rest = planRest([{ account: '001', type: 'CASH' }], holdings, NO_EARLIER, DAY)
    expect(rest.map(({ part }) => part)).toEqual([
      'fcoStatusHistory',
      'maxBuySell',
      'orderBook',
      'ppmmrAccount',
      'accountBalance',
    ])
  })
})
