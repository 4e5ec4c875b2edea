import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import { wrongRule } from 'candlehouse-foundation/market/rule-form'
import { CERTAINTIES, type MarketRule } from 'candlehouse-foundation/market/rulebook'
import { type HomeRow, readHomeTable } from './home-table.js'

const TABLE = {
  columns: ['rule', 'scope', 'valid_from', 'valid_to', 'value', 'unit', 'source', 'certainty'],
  needed: ['rule', 'scope', 'valid_from', 'value'],
  example:
    'write the header rule,scope,valid_from,valid_to,value,unit,source,certainty and one line per rule, ' +
    'as price_band,HOSE,2027-01-04,,10,percent,notice of the exchange,published',
}

/**
 * Rules of `market_rules.csv` in the home, which extend the packaged rulebook and replace what they overlap; none where there is
 * no such file.
 *
 * @throws SettingsError that names the file, the line, the value and what to write
 */
export function readMarketRules(home: string): readonly MarketRule[] {
  const rules = readHomeTable(join(home, 'market_rules.csv'), TABLE).map((line) => ({
    ...ruleOfLine(line),
    place: line.place,
  }))
  for (const [at, rule] of rules.entries()) {
    const earlier = rules.slice(0, at).find((other) => overlap(other, rule))
    if (earlier)
      throw new SettingsError(
        `${rule.place}: ${rule.rule} of ${rule.scope} is stated by ${earlier.place} too`,
        { hint: 'end the earlier one with valid_to, or keep one of the two lines' },
      )
  }
  return rules.map(({ place, ...rule }) => rule)
}

function ruleOfLine({ place, cell }: HomeRow): MarketRule {
  const empty = TABLE.needed.find((column) => cell(column) === '')
  if (empty) throw new SettingsError(`${place}: ${empty} is empty`, { hint: TABLE.example })
  const [validFrom, validTo] = [cell('valid_from'), cell('valid_to')]
  const wrong = [validFrom, validTo].find((day) => day !== '' && !isDay(day))
  if (wrong !== undefined)
    throw new SettingsError(`${place}: '${wrong}' is not a day`, { hint: 'write days as 2027-01-04' })
  if (validTo !== '' && validTo < validFrom)
    throw new SettingsError(`${place}: valid_to ${validTo} is before valid_from ${validFrom}`, {
      hint: 'leave valid_to empty where the rule still applies',
    })
  const stated = cell('certainty') || 'inferred'
  const certainty = CERTAINTIES.find((each) => each === stated)
  if (!certainty)
    throw new SettingsError(`${place}: certainty is '${stated}'`, { hint: `write ${CERTAINTIES.join(', ')}` })
  const rule: MarketRule = {
    rule: cell('rule'),
    scope: cell('scope'),
    validFrom,
    validTo,
    value: cell('value'),
    unit: cell('unit'),
    source: cell('source') || 'market_rules.csv',
    certainty,
  }
  const mistake = wrongRule(rule)
  if (mistake) throw new SettingsError(`${place}: ${mistake.wrong}`, { hint: mistake.write })
  return rule
}

/** A ladder of ticks has a row per price, and the phases of a day a row each. */
function overlap(a: MarketRule, b: MarketRule): boolean {
  return (
    a.rule === b.rule &&
    a.scope === b.scope &&
    (a.rule !== 'tick' || a.unit === b.unit) &&
    (a.rule !== 'phase' || a.value === b.value) &&
    (a.validTo === '' || b.validFrom <= a.validTo) &&
    (b.validTo === '' || a.validFrom <= b.validTo)
  )
}
