import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { counted } from 'candlehouse-foundation/number-text'
import { withinTime } from 'candlehouse-foundation/timers'
import type { Effects } from '../effects.js'
import { tryKey } from '../run/session/trial.js'
import type { Settings } from '../settings/index.js'
import { type Diagnosis, fail, note, ok } from './diagnosis.js'

export interface Machine {
  /** As `process.version`. */
  readonly node: string
  readonly cores: number
  /** Bytes of memory that this process may use. */
  readonly memory: number
  /** Free bytes of the disk that has the folder. */
  freeBytes(folder: string): number
  /**
   * The `Date` header of the service's answer to a request without credentials; undefined where it sends none.
   *
   * @throws Error where nothing answers
   */
  serverDate(address: string, signal: AbortSignal, effects: Effects): Promise<string | undefined>
  /**
   * Whether the service accepts a key's stored session, or key and secret.
   *
   * @throws CandlehouseError when it does not, or does not say
   */
  tryKey(key: Settings, effects: Effects, signal: AbortSignal): Promise<'session' | 'key'>
}

/** Waits for the service this long. */
const ANSWER_MS = 10_000

export const systemMachine: Machine = {
  node: process.version,
  cores: availableParallelism(),
  memory: memoryLimit(),
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
  async serverDate(address, signal, effects) {
    const ask = (limited: AbortSignal): Promise<Response> =>
      effects.network.fetch(new Request(address, { method: 'HEAD', redirect: 'manual', signal: limited }))
    const answer = await withinTime(ANSWER_MS, signal, ask, effects)
    return answer.headers.get('date') ?? undefined
  },
  tryKey,
}

function memoryLimit(): number {
  // In a container the limit of its group; without one, Node answers 0 or more than the machine has.
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

const GB = 1e9
/** Below the first a note, below the second a failure: a run that fills the disk ends with 6. */
const LITTLE_DISK = 5 * GB
const NO_DISK = 0.5 * GB
const LITTLE_MEMORY = 1 * GB

const OLDEST_NODE = [20, 19] as const

export function checkNode({ node }: Machine): Diagnosis {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number)
  const [least, leastMinor] = OLDEST_NODE
  if (major > least || (major === least && minor >= leastMinor))
    return ok('Node', `${node} (${OLDEST_NODE.join('.')} or newer is needed)`)
  return fail(
    'Node',
    3,
    `${node} is too old`,
    `Node ${OLDEST_NODE.join('.')} or newer is needed.`,
    'nvm install 22',
  )
}

export function checkMachine({ cores, memory }: Machine): Diagnosis {
  const finding = `${counted(cores, 'core')}, ${(memory / GB).toFixed(1)} GB of memory`
  if (memory >= LITTLE_MEMORY) return ok('machine', finding)
  return note(
    'machine',
    finding,
    'The writer may use 512 MB, readers a quarter of the memory; both spill to disk beyond that.',
  )
}

export function checkDisk({ freeBytes }: Machine, home: string): Diagnosis {
  let folder = home
  while (!existsSync(folder)) folder = dirname(folder)
  const free = freeBytes(folder)
  const finding = `${(free / GB).toFixed(1)} GB free for ${home}`
  if (free >= LITTLE_DISK) return ok('disk', finding)
  const next = `du -sh ${folder}; candlehouse lake sweep; candlehouse raw pack --before DAY`
  if (free >= NO_DISK)
    return note(
      'disk',
      finding,
      'Raw pages and the lake grow with every night; a run that fills the disk ends with 6.',
      next,
    )
  return fail('disk', 6, finding, 'The next run would fill the disk and end with 6.', next)
}
