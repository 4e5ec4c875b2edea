import type { Effects } from '../effects.js'
import type { Settings } from '../settings/index.js'
import type { Diagnosis } from './diagnosis.js'
import {
  checkCalendar,
  checkDeeply,
  checkHome,
  checkMarketRules,
  checkPublished,
  checkWarehouse,
} from './home.js'
import { checkLogins } from './logins.js'
import { checkDisk, checkMachine, checkNode, type Machine } from './machine.js'
import { examineOwnSql } from './own-sql.js'
import { checkRaw } from './raw.js'
import { checkClock, checkCredentials, checkSessions } from './service.js'

export { type Diagnosis, fail, worstCode } from './diagnosis.js'
export { type Machine, systemMachine } from './machine.js'

export interface Examination {
  readonly machine: Machine
  /** Reads every file and every column too. */
  readonly deep: boolean
  onStep(name: string): void
  readonly signal: AbortSignal
  readonly effects: Effects
}

/** What can be checked without settings. */
export function examineMachine(machine: Machine): Diagnosis[] {
  return [checkNode(machine), checkMachine(machine)]
}

/** Checks the machine, the settings, the service and the home. It changes nothing, but a stored session is refreshed where it must be. */
export async function examine(settings: Settings, examination: Examination): Promise<Diagnosis[]> {
  const { machine, deep, onStep, signal, effects } = examination
  const { home } = settings
  const service = await checkClock(settings, machine, effects, signal)
  const answers = service.every(({ check, state }) => check !== 'service' || state === 'ok')
  return [
    ...examineMachine(machine),
    checkDisk(machine, home),
    ...checkCredentials(settings),
    ...service,
    ...checkSessions(settings, effects.now()),
    ...(answers ? await checkLogins(settings, machine, effects, signal) : []),
    checkHome(home),
    checkCalendar(home, effects),
    ...checkMarketRules(home),
    ...(await examineOwnSql(home)),
    ...(await checkWarehouse(home)),
    ...(await checkRaw(home, deep, onStep, signal)),
    ...(await checkPublished(home, effects)),
    ...(deep ? await checkDeeply(home, onStep, signal) : []),
  ]
}
