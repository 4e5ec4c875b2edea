import { expect, test } from 'vitest'
import { completionsOf } from '../../../src/cli/prompt/completion.js'
import { completeDotCommand, readDotCommand } from '../../../src/cli/prompt/dot-command.js'

const names = [
  { relation: 'market.candle', columns: ['symbol', 'close'] },
  { relation: 'market.security', columns: ['symbol', 'board'] },
  { relation: 'mart.candle_session', columns: ['symbol', 'phase'] },
]

const suggest = (start: number, ...words: string[]) =>
  words.map((suggestion) => ({ suggestion, suggestion_start: start }))

test.each([
  ['from market.ca', [], ['candle'], 'ca'],
  ['from MARKET.', [], ['candle', 'security'], ''],
  ['select candle.', [], ['symbol', 'close'], ''],
  ['from market.candle c where c.', [], ['symbol', 'close'], ''],
  ['show t', suggest(5, 'table', 'trading_phase'), ['tables'], 't'],
  [
    'from can',
    suggest(5, 'candle', 'candle_session', 'cancelled', 'scan'),
    ['candle', 'candle_session', 'cancelled'],
    'can',
  ],
  ['SEL', suggest(0, 'select '), ['select'], 'SEL'],
  // Bytes, not characters, come before the word.
  ["select 'cộng', clo", suggest(17, 'close', 'closed_for'), ['close', 'closed_for'], 'clo'],
  ['select x.', suggest(9, '(', ', '), [], ''],
  ['zzz', [], [], ''],
  ['from candle wh', suggest(12, 'where ', 'which'), ['where', 'which'], 'wh'],
])('%j goes on', (text, suggestions, hits, word) =>
  expect(completionsOf(text, names, suggestions)).toEqual([hits, word]),
)

test.each([
  ['.t', [['.tables', '.timing'], '.t']],
  ['.o', [['.output', '.once'], '.o']],
  ['.read x', [[], 'x']],
  ['.timing o', [['on', 'off'], 'o']],
  ['.mode v', [['vertical'], 'v']],
  ['.help x', [[], 'x']],
  ['.constructor ', [[], '']],
])('%j goes on with %j', (line, hits) => expect(completeDotCommand(line)).toEqual(hits))

test.each([
  ['.help', { does: 'help' }],
  ['.quit', { does: 'quit' }],
  ['quit', { does: 'quit' }],
  ['EXIT', { does: 'quit' }],
  ['.timing on', { does: 'timing', on: true }],
  ['  .timing  off ', { does: 'timing', on: false }],
  ['.mode csv', { does: 'mode', mode: 'csv' }],
  ['.timing', { does: 'nothing', because: '.timing takes one of on, off' }],
  ['.quit now', { does: 'nothing', because: '.quit takes no value' }],
  [
    '.table',
    {
      does: 'nothing',
      because:
        'there is no .table: the commands are .help, .tables, .read, .output, .once, .timing, .mode, .quit',
    },
  ],
  ['.tables', { does: 'tables' }],
  ['.tables x', { does: 'nothing', because: '.tables takes no value' }],
  ['.read my query.sql', { does: 'read', file: 'my query.sql' }],
  ['.read "my query.sql" ', { does: 'read', file: 'my query.sql' }],
  ['.read', { does: 'nothing', because: '.read takes the name of a file' }],
  ['.output out.csv', { does: 'output', file: 'out.csv', once: false }],
  ['.output', { does: 'output', file: undefined, once: false }],
  ['.once out.csv', { does: 'output', file: 'out.csv', once: true }],
  ['.once', { does: 'nothing', because: '.once takes the name of a file' }],
  ['select 1', undefined],
  ['', undefined],
])('%j is the command %j', (line, command) => expect(readDotCommand(line)).toEqual(command))
