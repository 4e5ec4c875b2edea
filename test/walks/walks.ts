import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { type Changes, lineAfter } from './copy.js'

/** What a person does who follows a recipe up to a point, and what leads on from there. */
interface Step {
  readonly changes: Changes
  /** Programs of `node_modules` that the recipe has run, with their arguments. */
  readonly commands?: readonly (readonly [program: string, ...args: string[]])[]
  /** Files of tests that the recipe names. */
  readonly tests: readonly string[]
  /** What they print; nothing where all is done: then they pass. */
  readonly leads: readonly string[]
}

/** Heading of the recipe in CONTRIBUTING.md → its steps. */
export const WALKS: Readonly<Record<string, readonly Step[]>> = {
  'To add a column': column(),
  'To add a dataset': dataset(),
  'To add a rule': rule(),
  'To add a page to the console': page(),
  'To add a format of exports': format(),
}

function numbered(folder: string): number {
  const names = readdirSync(join(packageRoot, folder)).filter((name) => name.endsWith('.sql'))
  return Math.max(...names.map((name) => Number.parseInt(name, 10)))
}

function column(): readonly Step[] {
  const tests = [
    'test/plan/datasets.test.ts',
    'packages/client/test/wire.test.ts',
    'test/load/written.test.ts',
    'packages/sandbox/test/fields.test.ts',
  ]
  const migration = `sql/migrations/${String(numbered('sql/migrations') + 1).padStart(4, '0')}_odd_lots.sql`
  return [
    {
      changes: {
        'packages/foundation/src/fields/market.ts': lineAfter(
          '  totalForeignRoom:',
          "  totalOddLot: quantity('Volume matched in odd lots', { unit: 'shares' }),",
        ),
      },
      tests,
      leads: tests,
    },
    {
      changes: {
        'docs/brokerage-api.md': (text) =>
          text.replace(
            '`remainForeignRoom`, `totalForeignRoom` |',
            '`remainForeignRoom`, `totalForeignRoom`, `totalOddLot` |',
          ),
        [migration]: `-- Odd lots of a session.
ALTER TABLE market.daily_summary ADD COLUMN IF NOT EXISTS total_odd_lot DECIMAL(38,0);

COMMENT ON COLUMN market.daily_summary.total_odd_lot IS 'Volume matched in odd lots, shares.';
`,
        'packages/sandbox/src/service/routes/securities-summary.ts': (text) =>
          lineAfter(
            '    totalForeignRoom:',
            "    totalOddLot: '0',",
          )(lineAfter("  'totalForeignRoom',", "  'totalOddLot',")(text)),
      },
      commands: [
        ['tsx/dist/cli.mjs', 'build/sql/main.ts'],
        ['tsx/dist/cli.mjs', 'test/docs/main.ts'],
      ],
      tests: [...tests, 'test/cases/load.test.ts', 'test/docs/docs.test.ts'],
      leads: [],
    },
  ]
}

/** Its first step alone: what leads to the others are types. */
function dataset(): readonly Step[] {
  return [
    {
      changes: { 'src/plan/datasets.ts': lineAfter("  'masterdata',", "  'oddLots',") },
      commands: [['typescript-native/bin/tsc', '--noEmit']],
      tests: ['test/plan/datasets.test.ts'],
      leads: [
        'src/plan/datasets.ts',
        'src/plan/ceilings.ts',
        'src/source/brokerage/queries.ts',
        "'oddLots' is missing",
      ],
    },
  ]
}

function rule(): readonly Step[] {
  const count = numbered('sql/rules')
  const name = `${count + 1}_foreign_room`
  const tests = [
    'test/audit/rules.test.ts',
    'test/audit/inputs.test.ts',
    'test/audit/reach.test.ts',
    'test/docs/figures.test.ts',
  ]
  const counted = (text: string): string => text.replaceAll(`${count} rules`, `${count + 1} rules`)
  return [
    {
      changes: {
        [`sql/rules/${name}.sql`]: `-- grain: one row per daily summary that names both foreign rooms
-- rule: ${count + 1}
-- title: the foreign room that is left is at most the whole room
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with the room that is left and the whole room
-- why: what is left is part of the whole
-- evidence: none measured
-- tolerance: none
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  'at most ' || as_text(total_foreign_room) AS expected,
  as_text(remain_foreign_room) || ' left' AS actual,
  num(remain_foreign_room) - num(total_foreign_room) AS residual,
  CASE WHEN num(remain_foreign_room) > num(total_foreign_room) THEN 'break' ELSE 'pass' END AS result
FROM market.daily_summary SEMI JOIN audit_session USING (trading_date)
WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND remain_foreign_room IS NOT NULL AND total_foreign_room IS NOT NULL
`,
      },
      tests,
      leads: [`rule ${count + 1} lacks a case`, `README.md says ${count} rules: there are ${count + 1}`],
    },
    {
      changes: {
        [`test/audit/cases/${name}.ts`]: `import { day, type RuleCase } from '../world.js'

const rooms = (remain_foreign_room: string, total_foreign_room: string | null) => ({
  'market.daily_summary': [day({ remain_foreign_room, total_foreign_room })],
})

export default {
  rule: ${count + 1},
  holds: [{ when: 'a part of the room is left', given: rooms('10', '49') }],
  breaks: [
    {
      when: 'more is left than there is',
      given: rooms('50', '49'),
      offenders: [{ relation: 'market.daily_summary', expected: 'at most 49', actual: '50 left' }],
    },
  ],
  silent: [
    {
      when: 'the whole room is not named',
      given: rooms('50', null),
      note: /needs a daily summary with the room/,
    },
  ],
} satisfies RuleCase
`,
        'README.md': counted,
        'docs/operating.md': counted,
      },
      tests,
      leads: [],
    },
  ]
}

function page(): readonly Step[] {
  const tests = ['test/cases/statements.test.ts', 'test/docs/console.test.ts']
  return [
    {
      changes: {
        'src/console/pages/rooms.tsx': `import { view } from './api.js'
import { Failure } from './command.js'
import { useLoaded } from './loaded.js'
import { RowsTable } from './rows-table.js'

export function RoomsPage() {
  const { value, error } = useLoaded(async () => await view('foreign_rooms'), [])
  if (!value) return error ? <Failure error={error} /> : <p class="quiet">Loading…</p>
  return (
    <>
      <h1>Rooms</h1>
      <RowsTable
        caption="What foreigners may still buy"
        rows={value}
        empty="No session is stored yet."
        columns="symbol | remain_foreign_room"
      />
    </>
  )
}
`,
        'src/console/pages/main.tsx': lineAfter(
          "{ name: 'findings'",
          "  { name: 'rooms', title: 'Rooms', load: async () => (await import('./rooms.js')).RoomsPage },",
        ),
        'sql/console/foreign_rooms.sql': `-- grain: one row per symbol of the latest session
SELECT symbol, remain_foreign_room
FROM market.daily_summary
WHERE trading_date = (SELECT max(trading_date) FROM market.daily_summary)
ORDER BY remain_foreign_room, symbol;
`,
      },
      commands: [['typescript-native/bin/tsc', '-p', 'src/console/pages', '--noEmit']],
      tests,
      leads: [
        `Argument of type '"foreign_rooms"' is not assignable`,
        'sql/console/foreign_rooms.sql has no case: add test/cases/console/foreign_rooms/….json',
        'no browser opens rooms',
        'docs/console.md does not describe Rooms',
      ],
    },
    {
      changes: {
        'src/console/views.ts': lineAfter('  findings: [],', '  foreign_rooms: [],'),
        'test/cases/console/foreign_rooms/latest-session.json': JSON.stringify({
          notes: 'Of the latest session alone.',
          given: {
            'market.daily_summary': [
              { symbol: 'AAA', trading_date: '2025-03-13', remain_foreign_room: '1' },
              { symbol: 'AAA', trading_date: '2025-03-14', remain_foreign_room: '10' },
            ],
          },
          expected: [{ symbol: 'AAA', remain_foreign_room: 10 }],
        }),
        'test/browser/console.test.ts': lineAfter("  'coverage',", "  'rooms',"),
        'docs/console.md': lineAfter('| Findings ', '| Rooms | what foreigners may still buy |'),
      },
      commands: [['typescript-native/bin/tsc', '-p', 'src/console/pages', '--noEmit']],
      tests,
      leads: [],
    },
  ]
}

function format(): readonly Step[] {
  const tests = ['test/read/export.test.ts']
  const types = [['typescript-native/bin/tsc', '--noEmit']] as const
  return [
    {
      changes: {
        'src/read/export/formats.ts': lineAfter(
          '  csv: {',
          "  tsv: { extensions: ['.tsv'], writer: 'copy', values: 'text' },",
        ),
      },
      commands: types,
      tests,
      leads: ["Property 'tsv' is missing"],
    },
    {
      changes: {
        'src/read/export/export.ts': lineAfter('  csv: ', "  tsv: `FORMAT csv, HEADER, DELIMITER '\\t'`,"),
      },
      commands: types,
      tests,
      leads: [],
    },
  ]
}
