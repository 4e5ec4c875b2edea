import { rmSync } from 'node:fs'
import { heldDeadline } from '../../../../packages/client/test/support/deadline.js'
import type { Effects } from '../../../../src/effects.js'
import { ALWAYS } from '../../support/bad-answers.js'
import type { Touch } from './differences.js'
import { type Draw, drawNight, type Filling, faultOf, isPackNight, nameOf } from './draws.js'
import { briefly, saidBy, undueDifferences } from './evenings.js'
import { eveningClock, homeAfter, runNight, type Service, service, sessionOf } from './world.js'

/** A client waits this long for one response (packages/client/src/connection.ts). */
const CLIENT_DEADLINE_MS = 60_000

interface Home {
  readonly cwd: string
  readonly standIn: Service
  /** The last night that it had. */
  night: number
  /** Differences that no night can mend. */
  readonly lasting: Touch[]
}

/** Homes before this draw are drawn and not run: the quick way to see a late failure of a seed again. */
const FIRST_DRAW = Number(process.env.PROPORTION_FROM ?? 0)

/**
 * Homes that have faults every night, each on another window; their last night has none, or such as pass. So every night also
 * shows that the faults of the night before are healed. A home that is not as it should be is left, and an undisturbed one goes on.
 *
 * @returns what went wrong, each with how to see it again
 */
export async function runDraws(count: number, filling: Filling, random: () => number): Promise<string[]> {
  const failures: string[] = []
  const release = passHungRequests()
  for (let done = 0, nth = 0, homes = 0; done < count; homes++) {
    const accounts = filling.accounts(homes)
    const lastNight = accounts ? filling.lastNight.accounts : filling.lastNight.market
    const start = 1 + Math.floor(random() * filling.firstNights)
    const isSkipped = done < FIRST_DRAW
    let home: Home | undefined
    for (let night = start; night <= lastNight; night++) {
      const isLast = night === lastNight || done >= count
      const drawn = isLast ? [] : drawNight(random, accounts, isPackNight(nth++, filling), filling)
      done += drawn.length
      if (isSkipped && isLast) break
      if (isSkipped) continue
      home ??= await homeOf(night, accounts)
      const wrong = await evening(home, night, drawn, accounts, release)
      if (wrong !== undefined) {
        await leave(home)
        failures.push(`draw ${done}, night ${night}: ${drawn.map(nameOf).join(' + ') || 'healthy'}\n${wrong}`)
        home = undefined
      }
      if (isLast || (done >= count && filling.endsWithPack)) break
    }
    if (home) await leave(home)
  }
  return failures
}

async function homeOf(night: number, accounts: boolean): Promise<Home> {
  return { cwd: await homeAfter(night - 1, accounts), standIn: await service(night), night, lasting: [] }
}

async function leave({ cwd, standIn }: Home): Promise<void> {
  await standIn.close()
  rmSync(cwd, { recursive: true })
}

/** One night of a home. @returns what is wrong */
async function evening(
  home: Home,
  night: number,
  drawn: readonly Draw[],
  accounts: boolean,
  release: Release,
): Promise<string | undefined> {
  const { cwd, standIn, lasting } = home
  standIn.turn(night)
  standIn.setOptions({ faults: drawn.map(faultOf) })
  const effects = { ...eveningClock(sessionOf(night)), after: release.after }
  const hangs = drawn.some(({ kind }) => kind.damage.kind === 'hang')
  const watch = hangs ? release.watch(standIn) : undefined
  const ran = await runNight(standIn, cwd, night, { accounts, effects }).finally(() => watch?.())
  const isHit = standIn.requests.some(({ fault }) => fault !== undefined)
  standIn.requests.length = 0
  const [only, second] = drawn
  // Several faults of one night pass; a single one may last, or be of a kind that is not asked again.
  const lasts = isHit && only !== undefined && second === undefined ? only : undefined
  const isCode = ran.code === 4 ? lasts !== undefined : ran.code === 0 && lasts?.times !== ALWAYS
  if (!isCode) return briefly(ran)
  const failed = ran.code === 4 ? lasts?.window : undefined
  if (failed && !failed.named.test(saidBy(ran))) return `not named: ${briefly(ran)}`
  if (failed?.lasting) lasting.push(failed.lasting(night))
  const touches = failed?.touches(night)
  const allowed: Touch = (each) => touches?.(each) === true || lasting.some((remains) => remains(each))
  const undue = await undueDifferences(cwd, night, allowed, accounts)
  return undue.length > 0 ? `${briefly(ran)}\n${undue.join('\n')}` : undefined
}

interface Release {
  /** Timers of the client. */
  readonly after: Effects['after']
  /** Ends what hangs as soon as nothing else is under way. Call what is returned to stop. */
  watch(standIn: Service): () => void
}

function passHungRequests(): Release {
  const deadline = heldDeadline(CLIENT_DEADLINE_MS)
  return {
    after: deadline.after,
    watch: (standIn) => {
      let passed = 0
      const timer = setInterval(() => {
        const hung = standIn.requests.filter(({ fault }) => fault === 'hang').length
        if (hung === passed || deadline.waiting !== hung - passed) return
        passed = hung
        deadline.pass()
      }, 2)
      return () => clearInterval(timer)
    },
  }
}
