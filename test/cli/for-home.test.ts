import { expect, test } from 'vitest'
import { forHome } from '../../src/cli/for-home.js'
import { everyCommand, shapeOf } from '../../src/cli/grammar.js'
import { createProgram } from '../../src/cli/program.js'
import { OF_TWO_WORDS } from '../../src/cli/verb-names.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { edgeOf, watchedTerminal } from '../support/program.js'

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

test('the verbs of two words are those of the program that have commands below them', async () => {
  const edge = {
    ...edgeOf(watchedTerminal().terminal, { cwd: temporaryFolder() }),
    endWith: () => undefined,
  }
  const commands = everyCommand(shapeOf(await createProgram(edge, fakeEffects(), undefined)))
  const above = commands.filter(({ path, commands: below }) => path.length === 1 && below.length > 0)
  expect(above.map(({ path }) => path.at(-1)).sort()).toEqual([...OF_TWO_WORDS].sort())
})
