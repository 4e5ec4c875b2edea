import type { Published, Touch } from '../e2e/proportion/support/differences.js'
import { reportedBy } from '../e2e/proportion/support/reported.js'
import { openReader, prepare } from './before-night.js'
import { bucketProblems } from './bucket-checks.js'
import { boundsOf, codeIsWrong, lostValues, secretsIn, undue } from './checks.js'
import { Effect } from './effect.js'
import { expectedOf } from './expected.js'
import { logsThatDiffer, pagesThatAreGone, pagesThatWereNotLoaded, pagesWithoutLine } from './home-checks.js'
import type { Disturbance, Plan } from './plan.js'
import { publishedIfAny, publishedIn, publishedRequests } from './published.js'
import { happened } from './situations.js'
import { falseValues } from './truth.js'
import type { Undisturbed } from './undisturbed.js'
import { World } from './world.js'

/**
 * Runs the world of a plan: its nights, then at most two that nothing disturbs.
 *
 * @returns what was wrong, one line each; empty where the program kept its promises
 */
export async function runPlan(
  plan: Plan,
  undisturbed: Undisturbed,
  root: string,
  trace: (line: string) => void,
): Promise<string[]> {
  const world = await World.open({
    root,
    seed: plan.seed,
    trace,
    accounts: plan.accounts,
    bucket: plan.bucket === true,
  })
  const failures: string[] = []
  const lasting: Touch[] = []
  let night = plan.before
  try {
    undisturbed.copyTo(world.cwd, plan.before)
    for (const disturbances of plan.nights) {
      night++
      const wrong = await evening(world, night, disturbances, undisturbed, lasting)
      if (wrong.length === 0) continue
      failures.push(...wrong.map((line) => `night ${night} ${JSON.stringify(disturbances)}: ${line}`))
      return failures
    }
    failures.push(...(await recovery(world, night, undisturbed, lasting)))
    if (failures.length === 0) failures.push(...(await proofs(world)))
    failures.push(...secretsIn(world))
  } catch (error) {
    failures.push(`night ${night}: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    await world.close()
  }
  return failures
}

/** Once faults stop, two nights bring everything back. */
async function recovery(
  world: World,
  last: number,
  undisturbed: Undisturbed,
  lasting: readonly Touch[],
): Promise<string[]> {
  for (let night = last + 1; night <= last + 2; night++) {
    await undisturbed.makeUpTo(night)
    world.turn(night)
    const ran = await world.night()
    world.options.trace(`night ${night}: exit ${ran.code}, nothing disturbs it`)
    const wrong =
      ran.code === 0
        ? [...(await undue(world, night, undisturbed, lasting)), ...bucketProblems(world, ran)]
        : [`exit ${ran.code}: ${reportedBy(ran)}`]
    if (wrong.length === 0) {
      happened(`healed by the ${night === last + 1 ? 'first' : 'second'} healthy night`)
      return []
    }
    if (night === last + 2) return wrong.map((line) => `two nights after the last fault: ${line}`)
  }
  return []
}

/** Every page that was answered is kept and loaded, and the lake is what its ledger says, also once it was swept. */
async function proofs(world: World): Promise<string[]> {
  const requests = await publishedRequests(world.cwd)
  const wrong = [
    ...pagesThatAreGone(world.cwd),
    ...pagesThatWereNotLoaded(world.cwd, requests),
    ...pagesWithoutLine(world.cwd, requests),
    ...logsThatDiffer(world.cwd),
  ]
  for (const line of ['raw verify', 'lake sweep', 'lake verify']) {
    const ran = await world.type(line.split(' '))
    if (ran.code !== 0) wrong.push(`${line}: exit ${ran.code}: ${ran.stdout}${ran.stderr}`)
  }
  return wrong
}

/** One night with its disturbances. @returns what is wrong */
async function evening(
  world: World,
  night: number,
  disturbances: readonly Disturbance[],
  undisturbed: Undisturbed,
  lasting: Touch[],
): Promise<string[]> {
  world.turn(night)
  const before = await publishedIfAny(world.cwd)
  const prepared = await prepare(world, night, disturbances, before)
  if (prepared.wrong.length > 0) return prepared.wrong
  const effect = new Effect(world, night, disturbances, undisturbed.steps(night))
  const reader = disturbances.some(({ kind }) => kind === 'reader') ? await openReader(world.cwd) : undefined
  let ran = await world.night()
  const ended = [ran.code]
  if (world.isKilled) {
    for (const kind of ['kill', 'power cut'] as const)
      if (disturbances.some((each) => each.kind === kind)) effect.hit.add(kind)
    world.revive()
    world.onStep = undefined
    const isPower = disturbances.some(({ kind }) => kind === 'power cut')
    happened(`${isPower ? 'power cut' : 'killed'} at ${effect.killedAt}`)
    if (world.wasKilled) happened('killed two nights in a row')
    const broken = [...pagesThatAreGone(world.cwd), ...(await unreadable(world, before, disturbances))]
    if (broken.length > 0) return broken.map((line) => `after the ${isPower ? 'power cut' : 'kill'}: ${line}`)
    world.options.trace('the same command again')
    ran = await world.night()
    ended.push(ran.code)
  }
  effect.end()
  const seen = (await reader?.()) ?? []
  world.options.trace(`night ${night}: exit ${ended.join(', then ')}`)
  const hits = disturbances.filter((each) => effect.hit.has(each.kind) || prepared.hit.has(each))
  for (const each of hits) happened(`${titleOf(each)}, exit ${ran.code}`)
  world.wasKilled = ended.length > 1
  const expected = hits.map((each) =>
    expectedOf(each, night, { accounts: world.options.accounts, afterEarlyEnd: world.endedEarly }),
  )
  const wrong = [...codeIsWrong(ran, expected), ...boundsOf(world, ran), ...seen]
  const costly = expected.filter(({ isFreeAtZero }) => ran.code !== 0 || !isFreeAtZero)
  for (const each of costly) if (each.lasting) lasting.push(each.lasting)
  const costs = costly.flatMap((each) => each.touches ?? [])
  // What the night before left is healed by a night without a fault, or by one whose fault is elsewhere: the first is asserted.
  const touches = [...costs, ...(ran.code === 0 ? [] : world.unhealed), ...lasting]
  world.unhealed = ran.code === 0 ? [] : [...world.unhealed, ...costs]
  // A night after one that ended early requests its sessions too.
  if (world.endedEarly && expected.some(({ codes }) => codes.some((code) => code > 0)))
    touches.push(() => true)
  world.endedEarly = isEarly(ran.code)
  const published = await publishedIfAny(world.cwd)
  // A night that ended early may not have come to what the service has changed.
  if (published)
    wrong.push(
      ...falseValues(published, [world.standIn.market, ...world.formerMarkets, ...world.imported]).slice(
        0,
        5,
      ),
    )
  if (published && before) wrong.push(...lostValues(before, published, world.restated))
  wrong.push(...bucketProblems(world, ran))
  if (!isEarly(ran.code))
    wrong.push(...(published ? await undue(world, night, undisturbed, touches) : ['nothing is published']))
  return wrong.length > 0 ? [`exit ${ended.join(', ')}`, ...wrong, reportedBy(ran)] : []
}

/** What a reader misses in the home that a kill has left, before the next command. */
async function unreadable(
  world: World,
  before: Published | undefined,
  disturbances: readonly Disturbance[],
): Promise<string[]> {
  // A file that was damaged before the night may not be repaired yet.
  if (!before || disturbances.some(({ kind }) => kind === 'file')) return []
  try {
    return lostValues(before, await publishedIn(world.cwd), world.restated)
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Whether a night ended before it had requested everything. */
const isEarly = (code: number | null): boolean => code === null || code === 3 || code === 2 || code >= 5

/** A disturbance without its figures. */
function titleOf(disturbance: Disturbance): string {
  switch (disturbance.kind) {
    case 'window':
      return `window ${disturbance.damage}`
    case 'file':
      return `file ${disturbance.where} ${disturbance.how}`
    case 'disk':
      return `disk ${disturbance.code}`
    case 'bucket':
      return `bucket ${disturbance.fault}`
    case 'key refused':
      return `key ${disturbance.key} refused`
    case 'field':
      return `field ${disturbance.dataset} ${disturbance.manner}`
    default:
      return disturbance.kind
  }
}
