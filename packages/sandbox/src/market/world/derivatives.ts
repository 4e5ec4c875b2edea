import { addDays } from 'candlehouse-foundation/market/day'
import { expiryDay, futuresCode, legacyFuturesCode } from 'candlehouse-foundation/market/futures'
import { codesSince, ruleNumber } from 'candlehouse-foundation/market/rulebook'
import { hashText, mix, unit } from './hash.js'
import type { Instrument } from './instrument.js'
import { between, industryOf } from './stocks.js'
import type { Timeline } from './timeline.js'

/** The index whose futures the sandbox has. */
const UNDERLYING = 'VN30'
const FUTURE = { board: 'DERIVATIVE', kind: 'future', underlying: UNDERLYING } as const

/** Points about which the VN30 index and its futures move. */
export const VN30_BASE = 1_300

/** The day of the rulebook, or the session before when that is closed. */
function lastTradingSession(year: number, month: number, { at }: Timeline): number {
  return at(expiryDay({ underlying: UNDERLYING, year, month }) ?? '')
}

/** VN30 futures: this month, the next, and the next two quarter months live at any time. */
export function futures(seed: number, time: Timeline): Instrument[] {
  const contracts: Instrument[] = []
  const changed = time.from(codesSince('present', UNDERLYING) ?? '')
  for (let count = 0; count < 9 * 12; count++) {
    const contract = { underlying: UNDERLYING, year: 2020 + Math.floor(count / 12), month: (count % 12) + 1 }
    // A quarter month is listed about eight months ahead, another month when it becomes the next one.
    const ahead = contract.month % 3 === 0 ? 8 : 2
    const open = { year: contract.year, month: contract.month - ahead }
    if (open.month < 1) {
      open.month += 12
      open.year -= 1
    }
    const first = open.year < 2020 ? 0 : lastTradingSession(open.year, open.month, time) + 1
    const last = lastTradingSession(contract.year, contract.month, time)
    const path = mix(seed, hashText(futuresCode(contract)))
    const lastTradingDay = time.days[last] ?? ''
    const shared = {
      kind: 'future' as const,
      underlying: UNDERLYING,
      multiplier: ruleNumber('multiplier', FUTURE, lastTradingDay),
      path,
      board: 'HNX' as const,
      base: VN30_BASE,
      calm: true,
      tradeChance: 1,
      busy: 0.97,
      lots: 900,
      listed: 0,
      industry: { code: '', name: '' },
      expires: last,
      lastTradingDay,
      maturityDay: lastTradingDay,
    }
    if (first < changed) {
      contracts.push({
        ...shared,
        symbol: legacyFuturesCode(contract) ?? '',
        first,
        last: Math.min(last, changed - 1),
      })
    }
    if (last >= changed) {
      contracts.push({ ...shared, symbol: futuresCode(contract), first: Math.max(first, changed), last })
    }
  }
  return contracts
}

/** A warrant matures on a trading day: so many sessions after the last one in which it trades. */
const WARRANT_MATURES_AFTER = 2

/** Covered warrants: each underlying has a new series every few weeks that lives about seven months. */
export function warrants(
  underlyings: readonly Instrument[],
  seriesPerYear: number,
  seed: number,
  time: Timeline,
): Instrument[] {
  const warrantList: Instrument[] = []
  for (const underlying of underlyings) {
    for (let year = 2020; year < 2029; year++) {
      for (let series = 0; series < seriesPerYear; series++) {
        const symbol = `C${underlying.symbol}${year % 100}${String(series + 1).padStart(2, '0')}`
        const path = mix(seed, hashText(symbol))
        const start = Math.floor((series * 365) / seriesPerYear) + (mix(path, 31) % 14)
        const first = time.from(addDays(`${year}-01-05`, start))
        const last = time.at(addDays(`${year}-01-05`, start + 213))
        warrantList.push({
          symbol,
          kind: 'covered_warrant',
          path,
          board: 'HOSE',
          first,
          last,
          base: between(1_100, 3_500, unit(path, 1)),
          calm: true,
          multiplier: 1,
          tradeChance: 0.9,
          busy: 0.05 + 0.3 * unit(path, 3),
          lots: between(5, 120, unit(path, 5)),
          listed: 1_000_000 * (3 + (mix(path, 32) % 20)),
          industry: industryOf(underlying.path),
          warrant: {
            underlying: underlying.symbol,
            exercisePrice: Math.round((underlying.base * (0.95 + 0.25 * unit(path, 33))) / 100) * 100,
            ratio: 2 + (mix(path, 34) % 7),
          },
          lastTradingDay: time.days[last] ?? '',
          maturityDay: time.days[last + WARRANT_MATURES_AFTER] ?? '',
        })
      }
    }
  }
  return warrantList
}
