import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Effects, systemEffects } from '../../src/effects.js'
import type { Touch } from '../e2e/proportion/support/differences.js'
import { sessionOf, smallMarket } from '../e2e/proportion/support/world.js'
import { seeded } from '../e2e/support/seeded.js'
import { type RequestLog, type StandIn, type StandInMarket, startStandIn } from '../standin/index.js'
import { ACCESS, type Fault as BucketFault, FakeBucket } from '../support/bucket.js'
import { copyFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { Killed, SimulatedDisk } from './disk.js'
import { asServed, KEY_NAMES, KEYS, KEYS_ENVIRONMENT, KEYS_TOML, type KeyName, passwordsOf } from './keys.js'
import { watchStatements } from './native.js'
import { SimulatedNetwork, type Way } from './network.js'
import { Scheduler } from './scheduler.js'

/** Half past six in the evening of a day, in exchange time. */
const evening = (day: string): number => Date.parse(`${day}T11:30:00Z`)

/** Seconds from one evening to the next, or more. */
const START = evening('2026-03-01')

const BUCKET_ADDRESS = `s3://${ACCESS.address.bucket}/${ACCESS.address.prefix}`

/** A step at which something may happen to the program. */
export type StepKind = 'request' | 'response' | 'statement' | 'disk' | 'bucket'

export interface Step {
  readonly kind: StepKind
  /** What it is: a path, the first words of a statement. */
  readonly what: string
  /** Of all steps of this run, from 1. */
  readonly nth: number
}

export interface WorldOptions {
  /** An empty folder. */
  readonly root: string
  readonly seed: number
  /** Whether the nights read accounts. */
  readonly accounts: boolean
  /** Whether the lake is published to a bucket. */
  readonly bucket?: boolean
  readonly trace: (line: string) => void
}

/** One home, its service, and the time of both: everything follows from the seed. */
export class World {
  readonly scheduler = new Scheduler()
  /** The folder in which commands are typed. */
  cwd: string
  /** What happens before a step. What it throws ends the step. */
  onStep: ((step: Step) => void) | undefined
  /** What happens to a request on its way. @default a short delay */
  onWay: ((request: RequestLog) => Partial<Way> | undefined) | undefined
  /** What becomes of a request to the bucket. @default it is answered */
  onBucket: (() => BucketFault | undefined) | undefined
  /** The key whose secret the service does not know, tonight. */
  refusedKey: KeyName | undefined
  readonly bucket: FakeBucket | undefined
  /** Added to the clock of this machine, not to that of the service. */
  clockErrorMs = 0
  isKilled = false
  /** What faults have cost since the last night that ended with 0. */
  unhealed: Touch[] = []
  /** Whether the night before ended before it had requested everything. */
  endedEarly = false
  /** Whether the night before was killed. */
  wasKilled = false
  /** Symbols and sessions of which the service has changed its records. */
  readonly restated = new Set<string>()
  /** What it had before. */
  readonly formerMarkets: StandInMarket[] = []
  /** Of these, what nobody can know to be another one now. */
  readonly unnoticed: StandInMarket[] = []
  /** What somebody brought: the service has nothing of it. */
  readonly imported: StandInMarket[] = []
  /** Virtual milliseconds that the last command took. */
  tookMs = 0
  private disk: SimulatedDisk | undefined
  /** Requests to the bucket that have not left yet. */
  private readonly leaving: {
    request: Request
    address: string
    resolve: (response: Response) => void
    reject: (error: Error) => void
  }[] = []
  private stepsTaken = 0
  private logins = 0
  private today = ''
  private readonly random: () => number
  private readonly delays: () => number

  private constructor(
    readonly options: WorldOptions,
    readonly standIn: StandIn,
  ) {
    this.cwd = join(options.root, 'work')
    mkdirSync(this.cwd, { recursive: true })
    this.random = seeded(options.seed * 31 + 7)
    this.delays = seeded(options.seed * 17 + 3)
    this.bucket = options.bucket ? new FakeBucket() : undefined
    if (this.bucket) this.bucket.fault = () => this.onBucket?.()
  }

  static async open(options: WorldOptions): Promise<World> {
    let world: World | undefined
    const standIn = await startStandIn({
      market: smallMarket(),
      listens: false,
      ...asServed(passwordsOf(0), undefined),
      otpSingleUse: true,
      otherSide: 'absent',
      // One world in five has small pages: most lists and days have several.
      ...(options.seed % 5 === 4 && { pageCap: 7 }),
      // How a body is packed is of the version of zlib.
      gzip: false,
      now: () => world?.serviceTime ?? START,
    })
    world = new World(options, standIn)
    return world
  }

  get serviceTime(): number {
    return START + this.scheduler.now
  }

  /** Texts that may stand nowhere. */
  get secrets(): readonly string[] {
    const ofKeys = KEY_NAMES.map((name) => KEYS[name].apiSecret)
    return [...ofKeys, ACCESS.credentials.secretAccessKey, ...this.standIn.tokens]
  }

  get steps(): number {
    return this.stepsTaken
  }

  /** It is the evening of the nth session. */
  turn(night: number): void {
    this.today = sessionOf(night)
    this.scheduler.passUntil(evening(this.today) - START)
    this.standIn.setOptions({ today: this.today })
  }

  /** The nightly of an evening. */
  async night(): Promise<Ran> {
    const line = ['nightly', '--sessions', '2', '--json']
    if (!this.options.accounts) return await this.type([...line, '--skip-accounts'])
    // A one-time password opens one session: whoever types the command again has a new one.
    const { main, desk } = this.turnKeys()
    return await this.type(line, { MAIN_OTP: main, DESK_OTP: desk })
  }

  /** New passwords of both keys. */
  private turnKeys(): Readonly<Record<KeyName, string>> {
    const passwords = passwordsOf(++this.logins)
    const { apiKey: _, ...keys } = asServed(passwords, this.refusedKey)
    this.standIn.setOptions(keys)
    return passwords
  }

  /** Somebody types a command. */
  async type(line: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    this.stepsTaken = 0
    this.isKilled = false
    const began = this.scheduler.now
    this.options.trace(`$ candlehouse ${line.join(' ')}`)
    watchStatements((moment, sql) => {
      if (moment === 'before') this.step('statement', wordsOf(sql))
    })
    const network = new SimulatedNetwork(this.standIn, this.scheduler, {
      onRequest: (request) => {
        const what = `${request.method} ${request.path} ${new URLSearchParams(request.query)}`
        this.step('request', what)
        return { delayMs: 5 + Math.floor(this.delays() * 60), isRefused: false, ...this.onWay?.(request) }
      },
      onResponse: (request) => this.step('response', `${request.status} ${request.path}`),
    })
    const disk = new SimulatedDisk({
      onStep: ({ moment, kind, path }) => {
        if (moment === 'before') this.step('disk', `${kind} ${path}`)
      },
    })
    this.disk = disk
    try {
      const running = cli(line, {
        cwd: this.cwd,
        env: {
          BROKER_BASE_URL: this.standIn.url,
          BROKER_MAX_RPS: '1000',
          ...this.keysAndBucket(),
          ...env,
        },
        effects: this.effects(network, disk),
        writesReport: this.options.seed % 4 === 0,
      })
      const ran = await this.scheduler.drive(running)
      this.tookMs = this.scheduler.now - began
      this.options.trace(
        `exit ${ran.code} after ${this.stepsTaken} steps, ${Math.round(this.scheduler.now)} ms`,
      )
      return ran
    } finally {
      watchStatements(undefined)
      disk.close()
    }
  }

  /**
   * The process is gone at this moment: what it has written stays, what it does from now on never happened.
   *
   * @param power the machine is gone too: what is not synced may be lost
   */
  kill(power?: () => number): never {
    if (!this.isKilled) {
      this.isKilled = true
      const copy = `${this.cwd}.killed`
      const lost = power && this.disk ? this.disk.powerLoss(this.cwd, copy, power) : []
      if (!power) copyFolder(this.cwd, copy)
      this.options.trace(['killed', ...lost.map((each) => `lost: ${this.plain(each)}`)].join('\n'))
    }
    throw this.killed()
  }

  /** After a killed run: the home as it was at the kill. */
  revive(): void {
    if (!existsSync(`${this.cwd}.killed`)) return
    rmSync(this.cwd, { recursive: true })
    renameSync(`${this.cwd}.killed`, this.cwd)
    this.isKilled = false
  }

  async close(): Promise<void> {
    await this.standIn.close()
    rmSync(this.options.root, { recursive: true, force: true })
  }

  private killed(): Killed {
    return new Killed({ moment: 'before', kind: 'write', path: this.cwd })
  }

  /** Without what differs between two runs: where home and disk are, the number of the process, names of temporary folders. */
  private plain(text: string): string {
    return text
      .replaceAll(this.options.root, '')
      .replaceAll(`.${process.pid}.`, '.')
      .replaceAll(/[./]*\/candlehouse-disk-\w+/g, '')
      .replaceAll(/\/tmp\/[\w-]+\.\w{6}(?=\/|\s|$)/g, '/tmp')
  }

  private step(kind: StepKind, what: string): void {
    if (this.isKilled) throw this.killed()
    const nth = ++this.stepsTaken
    this.options.trace(`${Math.round(this.scheduler.now)} ${kind} ${this.plain(what)}`)
    this.onStep?.({ kind, what, nth })
  }

  /** Variables of the keys and of the bucket. The names of two keys stand in a file. */
  private keysAndBucket(): Readonly<Record<string, string>> {
    if (this.options.accounts) writeFileSync(join(this.cwd, 'candlehouse.toml'), KEYS_TOML)
    const { apiKey, apiSecret } = KEYS.main
    const keys = this.options.accounts
      ? KEYS_ENVIRONMENT
      : { BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret }
    if (!this.bucket) return keys
    const { credentials, region, endpoint } = ACCESS
    return {
      ...keys,
      CANDLEHOUSE_LAKE_URL: BUCKET_ADDRESS,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_REGION: region,
      AWS_ENDPOINT_URL: endpoint ?? '',
    }
  }

  /**
   * A request to the bucket takes its time, as one to the service does. Files are read and requests signed on threads: requests
   * that are made together leave in the order of their addresses.
   */
  private toBucket(request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { pathname, search } = new URL(request.url)
      const address = `${request.method} ${pathname}${search}`
      this.leaving.push({ request, address, resolve, reject })
      if (this.leaving.length === 1) this.scheduler.schedule(0, () => this.leave())
    })
  }

  private leave(): void {
    const together = this.leaving.splice(0).sort((a, b) => (a.address < b.address ? -1 : 1))
    for (const { request, address, resolve, reject } of together) {
      try {
        if (!this.bucket) throw new Error('nothing else is in this world')
        const { bucket } = this
        this.step('bucket', address)
        this.scheduler.schedule(5 + Math.floor(this.delays() * 60), () => {
          bucket.send(request).then(resolve, reject)
        })
      } catch (error) {
        reject(error as Error)
      }
    }
  }

  private effects(network: SimulatedNetwork, disk: SimulatedDisk): Effects {
    const alive = (): void => {
      if (this.isKilled) throw this.killed()
    }
    return {
      ...systemEffects,
      network: { dispatcher: network, fetch: (request) => this.toBucket(request) },
      disk,
      now: () => this.serviceTime + this.clockErrorMs,
      monotonic: () => this.scheduler.now,
      random: () => this.random(),
      after: (ms, run) => this.scheduler.schedule(ms, run),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          alive()
          signal?.throwIfAborted()
          const cancel = this.scheduler.schedule(ms, () => {
            signal?.removeEventListener('abort', stop)
            if (this.isKilled) reject(this.killed())
            else resolve()
          })
          const stop = (): void => {
            cancel()
            reject(signal?.reason)
          }
          signal?.addEventListener('abort', stop, { once: true })
        }),
    }
  }
}

/** The first words of a statement: what it does, and to what. */
function wordsOf(sql: string): string {
  const text = sql.replaceAll(/--[^\n]*\n?/g, ' ').trim()
  return text
    .split(/[\s(]+/)
    .slice(0, 5)
    .join(' ')
}
