import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { provePage } from 'candlehouse-foundation/json/page'
import { expect } from 'vitest'
import { damaged } from '../../../packages/foundation/test/json/mutations.js'
import { type Fault, type StandIn, startStandIn } from '../../standin/index.js'
import { temporaryFolder } from '../../support/folder.js'
import { cli } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { type PublishedMarket, publishedMarket, wrongIn } from './column-faults.js'
import {
  expectCode,
  type Hashes,
  heldHashes,
  missingOf,
  night,
  nightOfBoth,
  smallMarket,
  undisturbed,
} from './nights.js'
import { seeded } from './seeded.js'

/** Damage that a night met. */
export interface Damage {
  faults: Fault[]
  /** Bodies that were damaged. */
  count(): number
}

/**
 * Every so many-th question about data is answered with random damage at random places, whenever it is asked.
 *
 * @param share of questions, 0 to 1
 * @param kind `broken`: no damaged body is a page; `any`: also damage that leaves a page, with other values
 */
export function randomDamage(seed: number, share: number, kind: 'broken' | 'any'): Damage {
  const random = seeded(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  const chosen = new Map<string, boolean>()
  let count = 0
  const transform = (text: string): Buffer => {
    count++
    let body = damaged(Buffer.from(text), pick)
    // Damage that leaves a page is another page, which nobody can tell from a true one.
    for (let tries = 0; kind === 'broken' && isPage(body); tries++)
      body = tries < 50 ? damaged(body, pick) : body.subarray(0, body.length >> 1)
    return body
  }
  const match: Fault['match'] = ({ path, query }) => {
    if (path.includes('/auth/')) return false
    // Which symbols are cross-checked follows from the lists: a night without one of them asks for other bars too.
    if (kind === 'broken' && query.board !== undefined) return false
    const question = `${path} ${JSON.stringify(query)}`
    const isChosen = chosen.get(question) ?? random() < share
    chosen.set(question, isChosen)
    return isChosen
  }
  return {
    faults: [{ kind: 'body', transform, match, times: Number.POSITIVE_INFINITY }],
    count: () => count,
  }
}

function isPage(body: Buffer): boolean {
  try {
    provePage(body)
    return true
  } catch {
    return false
  }
}

/** What is stored. Coverage has more: windows that were asked while it was not known that their symbols did not trade. */
function marketOf(held: Hashes): Hashes {
  return Object.fromEntries(Object.entries(held).filter(([name]) => name.startsWith('market.')))
}

/** Puts damage on a service, or takes all of it off. */
export function setDamage(standIn: StandIn, damage?: Damage): void {
  standIn.setOptions({ faults: damage?.faults ?? [] })
}

/**
 * A night with random damage: it ends with gaps, not in any other way, and stores nothing of a damaged page.
 *
 * @param share of questions whose answers are damaged
 * @returns bodies that were damaged
 */
export async function nightWithDamage(
  standIn: StandIn,
  cwd: string,
  seed: number,
  share: number,
): Promise<number> {
  const damage = randomDamage(seed, share, 'broken')
  setDamage(standIn, damage)
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  expect(JSON.stringify(missingOf(ran))).toContain('not one whole JSON document')
  expectRefused(join(cwd, 'data/raw/refused'))
  // What damaged pages had is missing, or derived where it can be; all that is stored is as it was served.
  const wrong = wrongIn(await marketOfHome(cwd), await marketOfHome(await nightOfBoth()))
  expect(
    wrong.filter((line) => !/ is gone$|: is_derived is true/.test(line)),
    `seed ${seed}`,
  ).toEqual([])
  setDamage(standIn)
  return damage.count()
}

const marketOfHome = (cwd: string): Promise<PublishedMarket> =>
  publishedMarket((sql) => ask(join(cwd, 'data'), sql))

/** The same, then its rerun, which ends in the hashes of a night that nothing disturbed. */
export async function damagedNight(
  standIn: StandIn,
  cwd: string,
  seed: number,
  share: number,
): Promise<number> {
  const count = await nightWithDamage(standIn, cwd, seed, share)
  expectCode(await night(standIn, cwd), 0)
  await expectUndisturbed(cwd, `seed ${seed}`)
  return count
}

async function expectUndisturbed(cwd: string, what: string): Promise<void> {
  expect(marketOf(await heldHashes(cwd)), what).toEqual(marketOf((await undisturbed()).once))
}

/**
 * Such nights, each in a home of its own, until so many bodies were damaged; a replay gives the same.
 *
 * @returns bodies that were damaged
 */
export async function damagedNights(pages: number, seed: number, share = 0.3): Promise<number> {
  let count = 0
  for (let round = 0; count < pages; round++) {
    const standIn = await startStandIn({ market: smallMarket() })
    const cwd = temporaryFolder()
    count += await damagedNight(standIn, cwd, seed + round, share)
    expectCode(await cli(['replay'], { cwd }), 0)
    expectCode(await cli(['publish'], { cwd }), 0)
    await expectUndisturbed(cwd, `seed ${seed + round}, replayed`)
    await standIn.close()
    rmSync(cwd, { recursive: true })
  }
  return count
}

/** Bodies that were not pages are kept, but not all of them: eight walks at once may each keep one more. */
function expectRefused(folder: string): void {
  const bodies = readdirSync(folder)
  expect(bodies.length).toBeGreaterThan(0)
  expect(bodies.length).toBeLessThanOrEqual(20 + 8)
  for (const name of bodies) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
}
