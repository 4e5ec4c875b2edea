import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { start } from './support/cli.js'
import { DAMAGES, type Damage, damageable, damageFile, lakeFindings } from './support/damage.js'
import { restorableHashes } from './support/hashes.js'
import { copyOfBoth, expectCode, type Hashes, night, nightOfBoth, service } from './support/nights.js'
import { seeded } from './support/seeded.js'

let undisturbed: Hashes
/** A night for both sessions, published where a copy of it is damaged. */
let whole: string
beforeAll(async () => {
  undisturbed = await restorableHashes(await nightOfBoth())
  whole = await copyOfBoth()
})

const publish = (cwd: string, ...args: string[]): Promise<Ran> => cli(['publish', ...args], { cwd })

/** The same folder each time: a catalog names its files by absolute path. */
function restoredHome(): string {
  const kept = `${whole}-kept`
  if (!existsSync(kept)) cpSync(join(whole, 'data'), kept, { recursive: true })
  rmSync(join(whole, 'data'), { recursive: true })
  cpSync(kept, join(whole, 'data'), { recursive: true })
  return whole
}

async function expectWhole(cwd: string, after: string): Promise<void> {
  const { ran, findings } = await lakeFindings(cwd)
  expect([after, ran.code, findings, ran.stderr.includes('bug')]).toEqual([after, 0, [], false])
  expect(await restorableHashes(cwd), after).toEqual(undisturbed)
}

interface Draw {
  readonly file: string
  readonly damage: Damage
  readonly at: number
}

function drawFor(seed: number, home: string): Draw {
  const random = seeded(seed)
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value
  const kinds = Object.values(damageable(home)).filter((files) => files.length > 0)
  // Each kind comes as often as another.
  const files = kinds[seed % kinds.length] ?? []
  return { file: pick(files), damage: pick(DAMAGES), at: 0.02 + random() * 0.96 }
}

/** What a warehouse that cannot be read, or was read wrongly, needs. */
const REBUILD = 'candlehouse replay'

/** Seeds of each kind of file; in short, two at once where neither is written because of the other. */
const ROUNDS: readonly (readonly number[])[] = LONG
  ? Array.from({ length: 400 }, (_, index) => [index + 1])
  : [[1, 4], [2], [3, 6], [5], [7]]

test('any damage to any file that can be written again: publish --deep heals it, or says what does; never a bug', async () => {
  for (const seeds of ROUNDS) {
    const cwd = restoredHome()
    const home = join(cwd, 'data')
    const draws = seeds.map((seed) => drawFor(seed, home))
    const what = draws
      .map(({ file, damage, at }, index) => `seed ${seeds[index]}: ${damage} ${file} at ${at.toFixed(3)}`)
      .join('; ')
    for (const { file, damage, at } of draws) {
      chmodSync(join(home, file), 0o600)
      damageFile(join(home, file), damage, at)
    }
    // In a process of its own where DuckDB may end it.
    const isWarehouse = draws.some(({ file }) => file.startsWith('warehouse'))
    const run = (args: string[]): Promise<Ran> =>
      isWarehouse ? start(args, { cwd }).ended : cli(args, { cwd })
    const ran = await run(['publish', '--deep'])
    expect([0, 6], `${what}\n${ran.stderr}`).toContain(ran.code)
    expect(ran.stderr, what).not.toContain('this is a bug')
    if (isWarehouse) {
      if (ran.code === 6) expect(ran.stderr, what).toContain(REBUILD)
      for (const verb of ['replay', 'publish']) expectCode(await run([verb]), 0)
    } else expectCode(ran, 0)
    await expectWhole(cwd, what)
  }
})

/** What is noticed without reading every file: damages of different kinds at once, and what is said of each. */
const NOTICED: readonly [string, (home: string) => void, readonly string[]][] = [
  ['the lake is gone', (home) => rmSync(join(home, 'lake'), { recursive: true }), ['manifest.json']],
  [
    'a relation is gone, the log of another one too, the catalog and the DuckLake have another byte',
    (home) => {
      rmSync(join(home, 'lake/market/candle'), { recursive: true })
      rmSync(join(home, 'lake/market/security/_delta_log'), { recursive: true })
      damageOne(home, 'catalog', 'flip')
      damageOne(home, 'ducklake', 'flip')
    },
    [
      'repaired the Delta log of market.security, market.candle',
      'wrote the catalog again',
      'wrote the DuckLake again',
    ],
  ],
  [
    'a file of the lake is cut short, a log has another byte',
    (home) => {
      damageOne(home, 'data', 'truncate')
      damageOne(home, 'log', 'flip')
    },
    ['restored 1 missing or damaged file', 'repaired the Delta log of'],
  ],
  [
    'a file of the lake is empty, the manifest has another byte',
    (home) => {
      damageOne(home, 'data', 'zero')
      damageOne(home, 'manifest', 'flip')
    },
    ['restored 1 missing or damaged file', 'wrote manifest.json of the lake again'],
  ],
]

function damageOne(home: string, kind: string, damage: Damage): void {
  const files = damageable(home)[kind] ?? []
  const file = join(home, files[files.length >> 1] ?? '')
  chmodSync(file, 0o600)
  damageFile(file, damage, 0.5)
}

/** In short: several at once. What is said of the others: test/publish/heal.test.ts. */
const noticed = LONG ? NOTICED : NOTICED.slice(1, 3)

test.each(noticed)(
  '%s: the next publish heals it and says so; a second one has nothing to do',
  async (what, damage, notes) => {
    const cwd = restoredHome()
    damage(join(cwd, 'data'))
    expect((await lakeFindings(cwd)).ran.code).toBe(6)
    const healed = await publish(cwd)
    expectCode(healed, 0)
    for (const note of notes) expect(healed.stdout).toContain(note)
    await expectWhole(cwd, what)
    const again = await publish(cwd)
    expect(again.stdout).toContain('nothing has changed since publication')
    expect(again.stdout).not.toMatch(/restored|repaired|again/)
  },
)

test.runIf(LONG)('a night heals too, and publishes what it brings', async () => {
  const cwd = restoredHome()
  damageOne(join(cwd, 'data'), 'data', 'truncate')
  damageOne(join(cwd, 'data'), 'log', 'garbage')
  const ran = await night(await service(), cwd)
  expectCode(ran, 0)
  expect(ran.stdout).toContain('missing or damaged')
  await expectWhole(cwd, 'a night')
})

test('a file that has its size and other bytes: lake verify and doctor --deep name what to type, and typing it heals', async () => {
  const cwd = restoredHome()
  damageOne(join(cwd, 'data'), 'data', 'flip')
  const verified = await cli(['lake', 'verify'], { cwd })
  expectCode(verified, 6)
  const [, advice = ''] =
    /if this is the original lake, of a home: candlehouse (.*)$/m.exec(verified.stdout) ?? []
  const doctor = await cli(['doctor', '--deep', '--json'], { cwd })
  expectCode(doctor, 6)
  expect(
    doctor
      .json<{ diagnoses: { check: string; next: string }[] }>()
      .diagnoses.find(({ check }) => check === 'lake')?.next,
  ).toBe(`candlehouse ${advice}`)
  expectCode(await cli(advice.split(' '), { cwd }), 0)
  await expectWhole(cwd, advice)
})
