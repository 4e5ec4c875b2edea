import { expect, test } from 'vitest'
import { forHome } from '../../src/cli/for-home.js'

test.each([
  ['candlehouse status', 'candlehouse status --home demo'],
  ['candlehouse sql "from candle"    # rows', 'candlehouse sql --home demo "from candle"    # rows'],
  ['candlehouse lake verify x', 'candlehouse lake verify --home demo x'],
  ['correct it, then: candlehouse publish', 'correct it, then: candlehouse publish --home demo'],
  ['candlehouse sql --home demo "from candle"', 'candlehouse sql --home demo "from candle"'],
  ['candlehouse demo --home=FOLDER', 'candlehouse demo --home=FOLDER'],
  ['candlehouse ddl clickhouse', 'candlehouse ddl clickhouse --home demo'],
  ['candlehouse mine new table x', 'candlehouse mine new --home demo table x'],
  ['candlehouse mine new --help', 'candlehouse mine new --help'],
  ['candlehouse raw', 'candlehouse raw'],
  ['until candlehouse has learned it', 'until candlehouse has learned it'],
])('%j is typed as %j for a home that was named', (text, typed) => {
  expect(forHome(text, 'demo')).toBe(typed)
  expect(forHome(text, undefined)).toBe(text)
})

test('the name of a home is one word of a shell', () =>
  expect(forHome('candlehouse status', "my home's")).toBe(`candlehouse status --home 'my home'\\''s'`))
