import { sessionOf } from '../e2e/proportion/support/world.js'
import { withFault } from '../e2e/support/field-faults.js'
import { seeded } from '../e2e/support/seeded.js'
import { hideSymbol, omitSummaries, position } from '../standin/index.js'
import { refusal } from './disk.js'
import { type Disturbance, drawOf } from './plan.js'
import type { World } from './world.js'

/** What the disturbances of a night do to the world while it runs. */
export class Effect {
  readonly hit = new Set<Disturbance['kind']>()
  killedAt = ''
  private readonly undo: (() => void)[] = []

  constructor(
    private readonly world: World,
    night: number,
    disturbances: readonly Disturbance[],
    steps: number,
  ) {
    const { standIn } = world
    let requests = 0
    const waits: ((nth: number) => { delayMs?: number; isRefused?: boolean } | undefined)[] = []
    for (const each of disturbances) {
      switch (each.kind) {
        case 'window': {
          const { window, kind, times } = drawOf(each)
          const match = { path: window.path, ...(window.where && { where: window.where }) }
          standIn.setOptions({ faults: [{ ...kind.damage, match, times } as never] })
          break
        }
        case 'field':
          standIn.setOptions({
            mutateRow: (dataset, row) => {
              if (dataset !== each.dataset) return row
              const value = row[each.field]
              if (value !== undefined && value !== null && value !== '') this.hit.add('field')
              return withFault(row, each.field, each.manner)
            },
          })
          break
        case 'omitted':
          this.hit.add('omitted')
          this.undo.push(omitSummaries(standIn.market, sessionOf(night), each.symbol))
          break
        case 'kill':
        case 'power cut': {
          const at = Math.ceil(each.share * steps)
          const chance = seeded(world.options.seed + night)
          world.onStep = ({ kind, what, nth }) => {
            if (nth < at) return
            this.killedAt = kind === 'statement' || kind === 'disk' ? `${kind} ${what.split(' ')[0]}` : kind
            world.kill(each.kind === 'power cut' ? chance : undefined)
          }
          break
        }
        case 'disk': {
          const at = Math.ceil(each.share * steps)
          let left = each.times
          world.onStep = ({ kind, what, nth }) => {
            if (nth < at || kind !== 'disk' || left === 0) return
            left--
            this.hit.add('disk')
            const [operation = '', path = ''] = what.split(' ')
            throw refusal(each.code, { moment: 'before', kind: operation as never, path })
          }
          break
        }
        case 'hidden':
          this.hit.add('hidden')
          this.undo.push(hideSymbol(standIn.market, each.symbol))
          break
        case 'bad value':
          standIn.setOptions({
            mutateRow: (dataset, row) => {
              const bad = each.field === 'ceiling' ? 'masterdata' : 'securitiesSummary'
              const isIt = dataset === bad && row.symbol === each.symbol
              if (!isIt || String(row.tradingDate).replaceAll('/', '-') !== sessionOf(night)) return row
              this.hit.add('bad value')
              return { ...row, [each.field]: each.value }
            },
          })
          break
        case 'rate limit':
          this.hit.add('rate limit')
          standIn.setOptions({
            rateLimit: { limit: each.limit, windowMs: 1000, reset: 'delta', retryAfter: each.retryAfter },
          })
          break
        case 'reader':
          this.hit.add('reader')
          break
        case 'session lost':
        case 'token expired':
          standIn.onRequest = () => {
            if (++requests !== each.nth) return
            this.hit.add(each.kind)
            if (each.kind === 'session lost') standIn.revokeSession()
            else standIn.expireToken()
          }
          break
        case 'outage': {
          let until = 0
          waits.push((nth) => {
            if (nth === each.nth) until = world.scheduler.now + each.seconds * 1000
            if (nth < each.nth || world.scheduler.now >= until) return undefined
            this.hit.add('outage')
            return { isRefused: true }
          })
          break
        }
        case 'slow':
          waits.push((nth) => {
            if (nth < each.nth || nth >= each.nth + 10) return undefined
            this.hit.add('slow')
            return { delayMs: each.seconds * 1000 }
          })
          break
        case 'clock':
          this.hit.add('clock')
          world.clockErrorMs = each.hours * 3_600_000
          break
        case 'key refused':
          world.refusedKey = each.key
          break
        case 'bucket': {
          let [sentToBucket, left] = [0, each.times]
          world.onBucket = () => {
            if (++sentToBucket < each.nth || left === 0) return undefined
            left--
            this.hit.add('bucket')
            return each.fault
          }
          break
        }
        case 'odd holding': {
          const { accounts, positions } = standIn.accounts
          const holding = position(accounts[0]?.accountNo ?? '', each.symbol, 200, 10_000)
          positions.push(holding)
          this.hit.add('odd holding')
          this.undo.push(() => positions.splice(positions.indexOf(holding), 1))
          break
        }
        case 'typed':
        case 'file':
        case 'restated':
        case 'imported':
        case 'advice':
      }
    }
    let sent = 0
    world.onWay = () => {
      sent++
      return waits.map((wait) => wait(sent)).find((way) => way !== undefined)
    }
  }

  end(): void {
    const { standIn } = this.world
    if (standIn.requests.some(({ fault }) => fault !== undefined)) this.hit.add('window')
    // Where the session of the night before goes on, nobody asks for the secret (seed 227).
    const isRefused = standIn.requests.some(
      ({ path, status }) => path.endsWith('/auth/token') && status === 401,
    )
    if (this.world.refusedKey && isRefused) this.hit.add('key refused')
    standIn.setOptions({ faults: [], mutateRow: undefined, rateLimit: undefined })
    standIn.onRequest = undefined
    this.world.onStep = undefined
    this.world.onWay = undefined
    this.world.clockErrorMs = 0
    this.world.onBucket = undefined
    this.world.refusedKey = undefined
    for (const undo of this.undo) undo()
  }
}
