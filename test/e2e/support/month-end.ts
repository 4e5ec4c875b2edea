import { buildMarket, defaultSymbols, type StandIn, startStandIn } from '../../standin/index.js'
import { baseline } from '../../support/baseline.js'
import { onEnd } from '../../support/cleanup.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { towards } from './cli.js'
import { expectCode, HELD, LOW_JITTER } from './nights.js'

/** The two last sessions of a month, and the first one of the next. */
export const SESSIONS = ['2025-02-27', '2025-02-28', '2025-03-03'] as const
export const [, EVE, LAST] = SESSIONS

/** The service after all of these sessions: on the last of them it has restated a day of the month before. */
export async function monthEndService(): Promise<StandIn> {
  const standIn = await firstService()
  restate(standIn)
  return standIn
}

/** In short the market has what the accounts hold. */
async function firstService(): Promise<StandIn> {
  const symbols = defaultSymbols().filter(({ symbol }) => LONG || HELD.includes(symbol))
  const market = buildMarket({ sessions: [...SESSIONS], symbols })
  const standIn = await startStandIn({ market, today: EVE })
  onEnd(() => standIn.close())
  return standIn
}

function restate(standIn: StandIn): void {
  standIn.setOptions({ today: LAST })
  standIn.market.restate('FPT', EVE, { totalMatch: '1234500', totalMatchValue: '148140000000' })
}

/** A night, with accounts unless it is told otherwise. */
export async function monthEndNight(
  standIn: StandIn,
  cwd: string,
  day: string,
  sessions = 2,
  more: readonly string[] = [],
): Promise<Ran> {
  const args = ['nightly', '--date', day, '--sessions', String(sessions), '--json', ...more]
  return await cli(args, { cwd, env: towards(standIn, { BROKER_OTP: standIn.otp }), effects: LOW_JITTER })
}

/** Folder of two nights with accounts, one in each month; made once, only read. */
export async function nightsOverMonthEnd(): Promise<string> {
  return await baseline('two nights over the end of a month', async (cwd) => {
    const standIn = await firstService()
    expectCode(await monthEndNight(standIn, cwd, EVE), 0)
    restate(standIn)
    expectCode(await monthEndNight(standIn, cwd, LAST), 0)
  })
}
