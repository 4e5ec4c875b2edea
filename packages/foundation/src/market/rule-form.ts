import { nearestNames } from '../nearest-names.js'
import { isTradingBoard, TRADING_BOARDS } from './board.js'
import { isDay } from './day.js'
import { type MarketRule, marketRules } from './rulebook.js'
import { PHASES } from './sessions.js'

/** What is wrong with a rule as somebody states it, and what to write instead. */
export interface WrongRule {
  readonly wrong: string
  readonly write: string
}

/** Kinds that scopes of boards name, and those of the derivatives market beside its underlyings. */
const SHARE_KINDS = ['stock', 'etf', 'covered_warrant']
const CONTRACT_KINDS = ['future', 'spread']

/** Whole numbers that views read as such: least and most. More sessions than that are no settlement, and a multiplier is an INTEGER. */
const WHOLE: Readonly<Record<string, readonly [number, number]>> = {
  lot_size: [1, 1_000_000],
  multiplier: [1, 2_147_483_647],
  settlement_cycle: [0, 15],
}

const NUMBER = /^\d+(\.\d+)?$/
const MONTH_DAY = /^\d{2}-\d{2}$/

interface Form {
  readonly words: string
  fits(text: string): boolean
}

/** Forms that all values of a rule have, with an example each. */
const FORMS: readonly Form[] = [
  { words: 'a number, as 7 or 0.1', fits: (text) => NUMBER.test(text) },
  { words: 'a day, as 2027-01-04', fits: isDay },
  { words: 'a time, as 13:00', fits: isTime },
  {
    words: 'months and days, as 01-01;04-30',
    fits: (text) => text.split(';').every((day) => MONTH_DAY.test(day) && isDay(`2024-${day}`)),
  },
]

/** What is wrong with a rule; undefined where it has the form of the packaged ones. */
export function wrongRule(
  rule: Pick<MarketRule, 'rule' | 'scope' | 'value' | 'unit'>,
): WrongRule | undefined {
  return wrongName(rule.rule) ?? wrongScope(rule.scope) ?? wrongValue(rule)
}

/** A name of its own is allowed: nothing reads it but people. One that is spelled like a rule is a mistake. */
function wrongName(name: string): WrongRule | undefined {
  const known = [...new Set(marketRules().map(({ rule }) => rule)), 'tick', 'phase']
  if (known.includes(name)) return undefined
  const [meant] = nearestNames(name, known)
  if (meant !== undefined) return { wrong: `the rulebook has no rule '${name}'`, write: `write ${meant}` }
  if (/^[a-z][a-z0-9_]*$/.test(name)) return undefined
  return { wrong: `'${name}' is not the name of a rule`, write: 'write small letters and _, as price_band' }
}

function wrongScope(scope: string): WrongRule | undefined {
  const [board = '', name, ...more] = scope.split('/')
  if (scope === '*') return undefined
  const wrong = `'${scope}' is not a scope`
  if (more.length > 0 || !isTradingBoard(board)) {
    const [meant] = more.length > 0 ? [] : nearestNames(board, TRADING_BOARDS)
    return {
      wrong,
      write: `write ${meant ?? `*, ${TRADING_BOARDS.join(', ')}, a board and a kind (HOSE/etf)`}${
        meant && name ? `/${name}` : ''
      }`,
    }
  }
  if (name === undefined) return undefined
  if (board === 'DERIVATIVE') {
    const isUnderlying = /^[A-Z][A-Z0-9]+$/.test(name)
    return isUnderlying || CONTRACT_KINDS.includes(name)
      ? undefined
      : { wrong, write: `write an underlying, as DERIVATIVE/VN30, or ${scopesOf(board, CONTRACT_KINDS)}` }
  }
  return SHARE_KINDS.includes(name) ? undefined : { wrong, write: `write ${scopesOf(board, SHARE_KINDS)}` }
}

function scopesOf(board: string, kinds: readonly string[]): string {
  return kinds.map((kind) => `${board}/${kind}`).join(', ')
}

function wrongValue({
  rule,
  value,
  unit,
}: Pick<MarketRule, 'rule' | 'value' | 'unit'>): WrongRule | undefined {
  const wrong = `${rule} is '${value}'`
  if (rule === 'tick') return wrongTick(value, unit)
  if (rule === 'phase')
    return isPhase(value)
      ? undefined
      : { wrong, write: `write a phase and its times, as ato 09:00-09:15; ${PHASES.join(', ')}` }
  const packaged = marketRules().filter((each) => each.rule === rule)
  const numbers = packaged.filter((each) => NUMBER.test(each.value))
  if (WHOLE[rule]) return wrongWhole(rule, value, WHOLE[rule])
  if (numbers.length > 0) {
    const words = [...new Set(packaged.map((each) => each.value).filter((text) => !NUMBER.test(text)))]
    if (words.includes(value)) return undefined
    if (!NUMBER.test(value))
      return { wrong, write: `write ${['a number, as 7 or 0.1', ...words].join(', or ')}` }
    const isPercent = numbers.every((each) => each.unit.startsWith('percent'))
    return isPercent && Number(value) > 100 ? { wrong, write: 'write percent, from 0 to 100' } : undefined
  }
  const form = FORMS.find(({ fits }) => packaged.length > 0 && packaged.every((each) => fits(each.value)))
  return form && !form.fits(value) ? { wrong, write: `write ${form.words}` } : undefined
}

function wrongWhole(
  rule: string,
  value: string,
  [least, most]: readonly [number, number],
): WrongRule | undefined {
  const isWhole = /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most
  return isWhole
    ? undefined
    : { wrong: `${rule} is '${value}'`, write: `write a whole number from ${least} to ${most}` }
}

/** A step of a ladder: the unit has the price from which it applies. */
function wrongTick(value: string, unit: string): WrongRule | undefined {
  if (!NUMBER.test(value) || Number(value) === 0)
    return { wrong: `tick is '${value}'`, write: 'write a number above 0, as 50' }
  return /^from \d+(\.\d+)?$/.test(unit)
    ? undefined
    : {
        wrong: `the unit of a tick is '${unit}'`,
        write: 'write the price from which it applies, as from 10000',
      }
}

function isPhase(text: string): boolean {
  const [, phase = '', starts = '', ends = ''] = /^(\w+) (\S+)-(\S+)$/.exec(text) ?? []
  return (PHASES as readonly string[]).includes(phase) && isTime(starts) && isTime(ends) && starts < ends
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}
