import { provePage } from '../../../src/json/page.js'
import { damaged } from '../../json/mutations.js'
import type { Fault, StandIn } from '../../standin/index.js'
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

/** Puts damage on a service, or takes all of it off. */
export function setDamage(standIn: StandIn, damage?: Damage): void {
  standIn.setOptions({ faults: damage?.faults ?? [] })
}
