import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { InterruptedError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/effects.js'
import { type Conclusion, REASON_KINDS, type ReasonKind } from '../../src/night/conclusion.js'
import { readConclusion } from '../../src/night/conclusion-file.js'
import { buildMarket, defaultSymbols, type Fault, type StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { HELD, LAST, LOW_JITTER, service } from './support/nights.js'

const ALWAYS = Number.POSITIVE_INFINITY
const OTP = '246810'
/** The evening of the last session, for the program and for the service. */
const EVENING = Date.parse(`${LAST}T12:00:00Z`)
const NIGHT = ['nightly', '--sessions', '1']

/** A home, its service, and the clock of both. */
class World {
  readonly cwd = temporaryFolder()
  now = EVENING
  env: Environment
  readonly ran: Ran[] = []

  constructor(readonly standIn: StandIn) {
    standIn.setOptions({ now: () => this.now })
    this.env = towards(standIn, { BROKER_OTP: OTP })
  }

  get home(): string {
    return join(this.cwd, 'data')
  }

  async run(
    args: readonly string[],
    more: { effects?: Partial<Effects>; signal?: AbortSignal } = {},
  ): Promise<Ran> {
    const effects = { ...LOW_JITTER, now: () => this.now, ...more.effects }
    const signal = more.signal ? { signal: more.signal } : {}
    const ran = await cli(args, { cwd: this.cwd, env: this.env, effects, ...signal })
    this.ran.push(ran)
    return ran
  }

  conclusion(): Conclusion {
    const conclusion = readConclusion(this.home)
    if (!conclusion) throw new Error(this.ran.map(({ stdout, stderr }) => stdout + stderr).join('\n'))
    return conclusion
  }

  faults(...faults: Fault[]): void {
    this.standIn.setOptions({ faults })
  }
}

/** A command line as a shell splits it. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  )

/** Types what the latest conclusion advises, each command once, until it advises nothing new; then what else was advised. */
async function typeAdvice(world: World, advised: ReadonlySet<string>): Promise<void> {
  const typed = new Set<string>()
  const untyped = (): string | undefined => {
    const commands = world.conclusion().next.flatMap(({ command }) => command ?? [])
    return [...commands, ...advised].find((command) => !typed.has(command))
  }
  for (let command = untyped(); command !== undefined; command = untyped()) {
    typed.add(command)
    expect(command).toMatch(/^candlehouse /)
    const ran = await world.run(wordsOf(command).slice(1))
    expect([0, 4], `${command}\n${ran.stdout}\n${ran.stderr}`).toContain(ran.code)
  }
}

interface Stage {
  /** Reasons of the conclusion that it leads to. */
  kinds: readonly ReasonKind[]
  make(world: World): Promise<unknown>
}

/** What goes wrong with one home, one thing after the other, and several at once where they are independent. */
interface Journey {
  stages: readonly Stage[]
  /** What a person or the service does before the advised commands are typed. */
  cure?(world: World): void
  /** Whether the reasons are gone afterwards; else the conclusion has to say that nothing closes them. @default true */
  closes?: boolean
}

const status = (code: number, path: string, body?: string): Fault => ({
  kind: 'status',
  status: code,
  match: { path },
  times: ALWAYS,
  ...(body === undefined ? {} : { body }),
})
/** Every page of the candles of a symbol is cut short: its windows are never proven whole. */
const cut = (symbol: string): Fault => ({
  kind: 'short',
  match: { path: '/data/ohlc', where: { symbol } },
  times: ALWAYS,
})

/** Close of the minute bars: more shares than the summary has, which rule 8 refuses. */
const wrongVolume = (_: unknown, row: object, { query }: { query: Record<string, string> }): never =>
  (query.timeFrame === '1m' &&
  query.symbol === 'HPG' &&
  String((row as { tradingDate: string }).tradingDate).includes('14:45')
    ? { ...row, volume: String(Number((row as { volume: string }).volume) + 10_000_000) }
    : row) as never

const JOURNEYS: Readonly<Record<string, Journey>> = {
  'a wrong secret, then a service that answers nothing, then Ctrl-C, then a clock that moves on with every request':
    {
      stages: [
        {
          kinds: ['settings'],
          async make(world) {
            world.env = { ...world.env, BROKER_API_SECRET: 'wrong' }
            await world.run(NIGHT)
            world.env = towards(world.standIn, { BROKER_OTP: OTP })
          },
        },
        {
          kinds: ['outage'],
          async make(world) {
            world.faults(status(500, ''))
            await world.run(NIGHT)
            world.faults()
          },
        },
        {
          kinds: ['stopped'],
          async make(world) {
            const stop = new AbortController()
            world.standIn.onRequest = (_, { path }) => {
              if (path.endsWith('/data/ohlc')) stop.abort(new InterruptedError(130))
            }
            await world.run(NIGHT, { signal: stop.signal })
            world.standIn.onRequest = undefined
          },
        },
        {
          kinds: ['deadline'],
          async make(world) {
            const start = world.standIn.requests.length
            const monotonic = (): number => (world.standIn.requests.length - start) * 3_600_000
            await world.run([...NIGHT, '--max-hours', '5'], { effects: { monotonic } })
          },
        },
      ],
    },
  'a home that nobody has logged in for, then a session that a login elsewhere has ended, then a lake that cannot be written':
    {
      stages: [
        {
          kinds: ['accounts_skipped'],
          async make(world) {
            world.env = { ...world.env, BROKER_OTP: undefined }
            await world.run(NIGHT)
          },
        },
        {
          kinds: ['session_lost'],
          async make(world) {
            await world.run(['login', '--otp', OTP])
            world.standIn.revokeSession()
            await world.run(NIGHT)
          },
        },
        {
          kinds: ['storage'],
          async make(world) {
            renameSync(join(world.home, 'lake'), join(world.home, 'lake.away'))
            mkdirSync(join(world.home, 'lake', 'manifest.json'), { recursive: true })
            world.standIn.setOptions({ mutateRow: wrongVolume })
            await world.run(NIGHT)
          },
        },
      ],
      cure: (world) => {
        world.env = { ...world.env, BROKER_OTP: OTP }
        rmSync(join(world.home, 'lake'), { recursive: true })
        renameSync(join(world.home, 'lake.away'), join(world.home, 'lake'))
        world.standIn.setOptions({ mutateRow: undefined })
      },
    },
  'a service that refuses the accounts, cuts candles of a symbol short and has a wrong digit in those of another one, then cuts orders short':
    {
      stages: [
        {
          kinds: ['accounts_partial', 'windows', 'withheld'],
          async make(world) {
            world.faults(status(400, '/account/info'), cut('FPT'))
            world.standIn.setOptions({ mutateRow: wrongVolume })
            const night = await world.run([...NIGHT, '--json'])
            const { conclusion } = night.json<{ conclusion: Conclusion }>()
            expect(conclusion.next.map(({ command }) => command)).toContain('candlehouse repair')
            const windows = conclusion.reasons.find(({ kind }) => kind === 'windows')
            expect(windows).toMatchObject({ dataset: 'ohlc', against: 'complete' })
            expect(windows?.text).toContain('FPT')
            expect(world.conclusion()).toEqual(conclusion)
            await expectOneConclusion(world)
          },
        },
        {
          kinds: ['accounts_partial'],
          async make(world) {
            world.faults({ kind: 'short', match: { path: '/orderBook' }, times: ALWAYS })
            const { code, stdout } = await world.run(['snapshot'])
            expect([code, stdout]).toEqual([
              4,
              expect.stringMatching(/orders: \d+ of the \d+ that the service counts/),
            ])
          },
        },
      ],
      cure: (world) => {
        world.faults()
        world.standIn.setOptions({ mutateRow: undefined })
      },
    },
  'windows that nobody repaired within a year': {
    stages: [
      {
        kinds: ['expired'],
        async make(world) {
          world.faults(cut('HPG'))
          await world.run(NIGHT)
          world.now += 400 * 86_400_000
          await world.run(['repair'])
        },
      },
    ],
    closes: false,
  },
  'a field that is new, and a number that is none': {
    stages: [
      {
        kinds: ['drift', 'rejected'],
        async make(world) {
          // Fields that no answer had before are drift; those of the first night are its own.
          await world.run(NIGHT)
          world.standIn.setOptions({
            extraFields: true,
            mutateRow: (dataset, row) =>
              dataset === 'masterdata' && row.symbol === 'HPG'
                ? ({ ...row, ceiling: 'many' } as typeof row)
                : row,
          })
          await world.run(NIGHT)
        },
      },
    ],
    closes: false,
  },
}

/** In short: test/e2e/withheld.test.ts types what is advised for it (test/night/advice.test.ts). */
const LONGER: Readonly<Record<string, Journey>> = {
  'a digit that the service repeats, which a person overrides': {
    stages: [
      {
        kinds: ['withheld'],
        async make(world) {
          world.standIn.setOptions({ mutateRow: wrongVolume })
          await world.run(NIGHT)
        },
      },
    ],
  },
}

/** Kinds without a fault of the service or the home that leads to them: why, and where they are tested. */
const ELSEWHERE: Readonly<Partial<Record<ReasonKind, string>>> = {
  usage: 'a wrong command line leaves the conclusion as it is: below',
  bug: 'test/night/conclude.test.ts',
  problem: 'test/night/conclude.test.ts: problems of no other kind',
  note: 'a date that is no session: test/e2e/answers.test.ts',
  key: 'test/e2e/keys.test.ts',
  session_unseen: 'test/e2e/proportion/unseen-session.test.ts',
  accounts_failed: 'an outage while they are read: test/night/conclude.test.ts',
  unrepaired: 'test/e2e/repair.test.ts',
  not_evaluable: 'test/e2e/contradictions.test.ts',
  bucket: 'test/cli/bucket.test.ts',
  unrequested: 'sessions that nobody ran a nightly for: below',
}

const kindsOf = ({ stages }: Journey): ReasonKind[] => stages.flatMap(({ kinds }) => kinds)

test('every kind of reason has a case', () => {
  const covered = new Set([...Object.values(JOURNEYS).flatMap(kindsOf), ...Object.keys(ELSEWHERE)])
  expect([...covered].sort()).toEqual([...REASON_KINDS].sort())
})

/** Summary, status, doctor, report, files and metrics say the same of the night that ended last. */
async function expectOneConclusion(world: World): Promise<void> {
  const conclusion = world.conclusion()
  const [first] = conclusion.reasons
  expect(readConclusion(world.home, LAST)).toEqual(conclusion)
  const gapCount = conclusion.reasons
    .filter(({ kind }) => kind === 'windows' || kind === 'accounts_partial')
    .reduce((sum, { count }) => sum + (count ?? 0), 0)
  expect((await world.run(['status', '--json'])).json()).toMatchObject({ conclusion, gapCount })
  expect((await world.run(['report', '--json'])).json()).toMatchObject({ conclusion })
  for (const verb of ['status', 'doctor', 'report']) {
    const { stdout } = await world.run([verb])
    expect(stdout, verb).toContain(conclusion.headline)
    expect(stdout, verb).toContain(first?.text)
    const commands = [
      ...stdout.matchAll(
        /^.*(candlehouse (?:nightly|snapshot|publish|repair|backfill|sql)\b.*?)(?: {4}#.*)?$/gm,
      ),
    ]
    const advised = conclusion.next.flatMap(({ command }) => command ?? [])
    expect(
      commands.map(([, command]) => command),
      verb,
    ).toEqual(advised)
  }
  // A wrong command line says nothing of the night.
  expect((await world.run(['nightly', '--symbols', 'HPQ'])).code).toBe(2)
  expect(world.conclusion()).toEqual(conclusion)
}

/** That of `make test`. Of the other reasons: test/night/conclude.test.ts and test/night/advice.test.ts. */
const DIFFERING = /^a service that refuses/
const SHORT = Object.entries(JOURNEYS).filter(([name]) => DIFFERING.test(name))

describe('what a conclusion advises', () => {
  test.each(LONG ? Object.entries({ ...JOURNEYS, ...LONGER }) : SHORT)('%s', async (_, journey) => {
    const { stages, cure, closes = true } = journey
    const world = new World(await service())
    const advised = new Set<string>()
    for (const { kinds, make } of stages) {
      await make(world)
      const { reasons, next } = world.conclusion()
      const output = world.ran.map(({ stdout, stderr }) => stdout + stderr).join('\n')
      expect(
        reasons.map(({ kind }) => kind),
        output,
      ).toEqual(expect.arrayContaining([...kinds]))
      // To override a rule is what a person does instead of a repair.
      for (const { command } of next)
        if (command !== null && !command.includes('--accept')) advised.add(command)
    }
    cure?.(world)
    await typeAdvice(world, advised)
    const after = world.conclusion()
    const open = after.reasons.filter(({ kind }) => kindsOf(journey).includes(kind))
    const saysNothing = after.next.some(({ command }) => command === null) || after.next.length === 0
    expect(open.length > 0 && !saysNothing, JSON.stringify(after, null, 1)).toBe(false)
    if (closes) {
      expect(open, JSON.stringify(after, null, 1)).toEqual([])
      expect(after).toMatchObject({ complete: true, trusted: true, headline: 'complete' })
      expect(readConclusion(world.home, LAST)).toMatchObject({
        headline: 'complete',
        night: { job: 'nightly' },
      })
    }
  })
})

test('sessions that nobody ran a nightly for are named, and the advised backfill requests them', async () => {
  const sessions = ['2025-03-11', '2025-03-12', '2025-03-13', LAST]
  const symbols = defaultSymbols().filter(({ symbol }) => HELD.includes(symbol))
  const world = new World(await service({ market: buildMarket({ sessions, symbols }) }))
  const unrequested = (): unknown[] => world.conclusion().reasons.filter(({ kind }) => kind === 'unrequested')
  await world.run([...NIGHT, '--date', '2025-03-11'])
  expect(unrequested()).toEqual([])
  await world.run(NIGHT)
  expect(world.conclusion()).toMatchObject({ state: 'good', headline: 'complete' })
  expect(unrequested()).toMatchObject([{ count: 2, since: '2025-03-12', until: '2025-03-13', against: null }])
  const [advice] = world.conclusion().next
  expect(advice?.command).toBe('candlehouse backfill all --from 2025-03-12 --to 2025-03-13')
  await expectOneConclusion(world)
  await typeAdvice(world, new Set())
  expect(unrequested()).toEqual([])
})
