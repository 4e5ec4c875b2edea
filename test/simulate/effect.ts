import { sessionOf } from '../e2e/proportion/support/world.js'
import { withFault } from '../e2e/support/field-faults.js'
import { seeded } from '../e2e/support/seeded.js'
import { hideSymbol, omitSummaries, position } from '../standin/index.js'
import { refusal } from './disk.js'
import { type Disturbance, drawOf } from './plan.js'
import type { World } from './world.js'

type Kind = Disturbance['kind']
type Of<K extends Kind> = Extract<Disturbance, { kind: K }>

/** What happens to the nth request of a night on its way. */
type OnItsWay = (nth: number) => { delayMs?: number; isRefused?: boolean } | undefined

/** What the disturbances of a night do to the world while it runs. */
export class Effect {
  readonly hit = new Set<Kind>()
  killedAt = ''
  private readonly undo: (() => void)[] = []
  private readonly ways: OnItsWay[] = []
  private requests = 0
  private sent = 0

  constructor(
    private readonly world: World,
    private readonly night: number,
    disturbances: readonly Disturbance[],
    private readonly steps: number,
  ) {
    for (const each of disturbances) this.begin(each)
    world.onWay = () => {
      this.sent++
      return this.ways.map((way) => way(this.sent)).find((way) => way !== undefined)
    }
  }

  private begin(each: Disturbance): void {
    const { world } = this
    const { market } = world.standIn
    switch (each.kind) {
      case 'window':
        this.damageWindow(each)
        break
      case 'field':
        this.spoilField(each)
        break
      case 'omitted':
        this.hide('omitted', omitSummaries(market, sessionOf(this.night), each.symbol))
        break
      case 'hidden':
        this.hide('hidden', hideSymbol(market, each.symbol))
        break
      case 'kill':
      case 'power cut':
        this.kill(each)
        break
      case 'disk':
        this.refuseDisk(each)
        break
      case 'bad value':
        this.spoilValue(each)
        break
      case 'rate limit':
        this.limitRate(each)
        break
      case 'reader':
        this.hit.add('reader')
        break
      case 'session lost':
      case 'token expired':
        this.endSession(each)
        break
      case 'outage':
        this.refuseRequests(each)
        break
      case 'slow':
        this.delayRequests(each)
        break
      case 'clock':
        this.hit.add('clock')
        world.clockErrorMs = each.hours * 3_600_000
        break
      case 'key refused':
        world.refusedKey = each.key
        break
      case 'bucket':
        this.disturbBucket(each)
        break
      case 'odd holding':
        this.holdOddSymbol(each)
        break
      case 'typed':
      case 'file':
      case 'restated':
      case 'imported':
      case 'advice':
    }
  }

  private damageWindow(each: Of<'window'>): void {
    const { window, kind, times } = drawOf(each)
    const match = { path: window.path, ...(window.where && { where: window.where }) }
    this.world.standIn.setOptions({ faults: [{ ...kind.damage, match, times } as never] })
  }

  private spoilField(each: Of<'field'>): void {
    this.world.standIn.setOptions({
      mutateRow: (dataset, row) => {
        if (dataset !== each.dataset) return row
        const value = row[each.field]
        if (value !== undefined && value !== null && value !== '') this.hit.add('field')
        return withFault(row, each.field, each.manner)
      },
    })
  }

  private spoilValue(each: Of<'bad value'>): void {
    const bad = each.field === 'ceiling' ? 'masterdata' : 'securitiesSummary'
    this.world.standIn.setOptions({
      mutateRow: (dataset, row) => {
        const isIt = dataset === bad && row.symbol === each.symbol
        if (!isIt || String(row.tradingDate).replaceAll('/', '-') !== sessionOf(this.night)) return row
        this.hit.add('bad value')
        return { ...row, [each.field]: each.value }
      },
    })
  }

  private hide(kind: 'omitted' | 'hidden', show: () => void): void {
    this.hit.add(kind)
    this.undo.push(show)
  }

  private holdOddSymbol(each: Of<'odd holding'>): void {
    const { accounts, positions } = this.world.standIn.accounts
    const holding = position(accounts[0]?.accountNo ?? '', each.symbol, 200, 10_000)
    positions.push(holding)
    this.hit.add('odd holding')
    this.undo.push(() => positions.splice(positions.indexOf(holding), 1))
  }

  private kill(each: Of<'kill' | 'power cut'>): void {
    const { world } = this
    const at = Math.ceil(each.share * this.steps)
    const chance = seeded(world.options.seed + this.night)
    world.onStep = ({ kind, what, nth }) => {
      if (nth < at) return
      this.killedAt = kind === 'statement' || kind === 'disk' ? `${kind} ${what.split(' ')[0]}` : kind
      world.kill(each.kind === 'power cut' ? chance : undefined)
    }
  }

  private refuseDisk(each: Of<'disk'>): void {
    const at = Math.ceil(each.share * this.steps)
    let left = each.times
    this.world.onStep = ({ kind, what, nth }) => {
      if (nth < at || kind !== 'disk' || left === 0) return
      left--
      this.hit.add('disk')
      const [operation = '', path = ''] = what.split(' ')
      throw refusal(each.code, { moment: 'before', kind: operation as never, path })
    }
  }

  private limitRate({ limit, retryAfter }: Of<'rate limit'>): void {
    this.hit.add('rate limit')
    this.world.standIn.setOptions({ rateLimit: { limit, windowMs: 1000, reset: 'delta', retryAfter } })
  }

  private endSession(each: Of<'session lost' | 'token expired'>): void {
    const { standIn } = this.world
    standIn.onRequest = () => {
      if (++this.requests !== each.nth) return
      this.hit.add(each.kind)
      if (each.kind === 'session lost') standIn.revokeSession()
      else standIn.expireToken()
    }
  }

  private refuseRequests(each: Of<'outage'>): void {
    const { scheduler } = this.world
    let until = 0
    this.ways.push((nth) => {
      if (nth === each.nth) until = scheduler.now + each.seconds * 1000
      if (nth < each.nth || scheduler.now >= until) return undefined
      this.hit.add('outage')
      return { isRefused: true }
    })
  }

  private delayRequests(each: Of<'slow'>): void {
    this.ways.push((nth) => {
      if (nth < each.nth || nth >= each.nth + 10) return undefined
      this.hit.add('slow')
      return { delayMs: each.seconds * 1000 }
    })
  }

  private disturbBucket(each: Of<'bucket'>): void {
    let [sentToBucket, left] = [0, each.times]
    this.world.onBucket = () => {
      if (++sentToBucket < each.nth || left === 0) return undefined
      left--
      this.hit.add('bucket')
      return each.fault
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
