import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { readMarketRules } from '../../src/settings/market-rules-file.js'
import { temporaryFolder } from '../support/folder.js'

function rulesOf(text: string) {
  const home = temporaryFolder()
  writeFileSync(join(home, 'market_rules.csv'), text)
  return readMarketRules(home)
}

describe("the user's own rules of the market", () => {
  test('are optional', () => {
    expect(readMarketRules(temporaryFolder())).toEqual([])
  })

  test('need a rule, a scope, a first day and a value; a source and a certainty are filled in', () => {
    expect(rulesOf('rule,scope,valid_from,value\nprice_band,HOSE,2027-01-04,10\n')).toEqual([
      {
        rule: 'price_band',
        scope: 'HOSE',
        validFrom: '2027-01-04',
        validTo: '',
        value: '10',
        unit: '',
        source: 'market_rules.csv',
        certainty: 'inferred',
      },
    ])
  })

  test.each([
    ['rule,scope,value\nlot_size,HOSE,10\n', "market_rules.csv:1: there is no column 'valid_from'"],
    ['rule,scope,valid_from,value,note\n', "market_rules.csv:1: 'note' is not one of its columns"],
    [
      'rule,scope,valid_from,value\nlot_size,HOSE,4/1/2027,10\n',
      "market_rules.csv:2: '4/1/2027' is not a day",
    ],
    ['rule,scope,valid_from,value\nlot_size,,2027-01-04,10\n', 'market_rules.csv:2: scope is empty'],
    [
      'rule,scope,valid_from,valid_to,value\nlot_size,HOSE,2027-01-04,2027-01-01,10\n',
      'market_rules.csv:2: valid_to 2027-01-01 is before valid_from 2027-01-04',
    ],
    [
      'rule,scope,valid_from,value\nlot_size,HOSE,2027-01-04,10\nlot_size,HOSE,2027-02-01,100\n',
      'market_rules.csv:3: lot_size of HOSE is stated by',
    ],
    [
      'rule,scope,valid_from,value,certainty\nlot_size,HOSE,2027-01-04,10,sure\n',
      "market_rules.csv:2: certainty is 'sure'",
    ],
  ])('are refused with the line and what is wrong: %j', (text, message) => {
    expect(() => rulesOf(text)).toThrow(SettingsError)
    expect(() => rulesOf(text)).toThrow(message)
  })
})
