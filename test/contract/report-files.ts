import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenOrder } from './open-orders.js'
import { htmlOf, type Report, textOf } from './report.js'
import type { Outcome } from './suite.js'

const OPEN_ORDERS = 'open-orders.json'
const SETUP = 'resume.json'
const RESULTS: readonly Outcome['result'][] = ['kept', 'known', 'broken', 'skipped']

/** What a run was asked for and by whom: another one does not go on with it. In words, but for the key, which is a hash. */
export interface RunSetup {
  readonly service: string
  readonly version: string
  readonly key: string
  readonly 'sign-in': string
  readonly 'signature form': string
  readonly 'allowed effects': string
  readonly choices: string
}

/** The files of a run. Each is written as a whole, so that a run that is killed can be resumed. */
export class ReportFiles {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true })
  }

  write(report: Report): void {
    this.put('conformance.json', `${JSON.stringify(report, null, 2)}\n`)
    this.put('conformance.txt', textOf(report))
    this.put('conformance.html', htmlOf(report))
  }

  /** How the run was asked for, for `--resume`. It is not for sharing. */
  writeSetup(setup: RunSetup): void {
    this.put(SETUP, `${JSON.stringify(setup, null, 2)}\n`)
  }

  /** Orders that are open while the run goes on. They are not for sharing; the file goes with the last one. */
  writeOpenOrders(orders: readonly OpenOrder[]): void {
    if (orders.length === 0) rmSync(join(this.folder, OPEN_ORDERS), { force: true })
    else this.put(OPEN_ORDERS, JSON.stringify(orders))
  }

  /** @throws Error when the file is damaged: its orders have to be looked for by hand */
  readOpenOrders(): OpenOrder[] {
    const file = join(this.folder, OPEN_ORDERS)
    if (!existsSync(file)) return []
    const orders = parsed(file)
    if (!Array.isArray(orders) || !orders.every(isOpenOrder))
      throw new Error(`${file} is damaged: look for open orders in your order book, then delete it`)
    return orders
  }

  /**
   * What an earlier run found out. What it skipped is looked at again.
   *
   * @throws Error when there is no report, or its run was another one: of another service, key or version, or with other options
   */
  readEarlier(setup: RunSetup): Outcome[] {
    const file = join(this.folder, 'conformance.json')
    if (!existsSync(file)) throw new Error(`--resume: ${file} does not exist`)
    const report = parsed(file) as Partial<Report> | null | undefined
    if (!Array.isArray(report?.outcomes) || !report.outcomes.every(isOutcome))
      throw new Error(`--resume: ${file} is damaged; begin again without --resume`)
    this.requireSame(setup)
    return report.outcomes.filter(({ result }) => result !== 'skipped')
  }

  private requireSame(setup: RunSetup): void {
    const file = join(this.folder, SETUP)
    const earlier = existsSync(file) ? (parsed(file) as Partial<RunSetup> | null | undefined) : undefined
    if (typeof earlier !== 'object' || earlier === null)
      throw new Error(`--resume: ${file} is missing or damaged; begin again without --resume`)
    const others = (Object.keys(setup) as (keyof RunSetup)[]).filter((name) => earlier[name] !== setup[name])
    if (others.length === 0) return
    const words = others.map((name) =>
      name === 'key' ? 'another API key' : `${name} '${String(earlier[name])}', now '${setup[name]}'`,
    )
    throw new Error(
      `--resume: the earlier run had ${words.join('; ')}. Repeat its options, or begin again in another folder without --resume`,
    )
  }

  private put(name: string, text: string): void {
    const file = join(this.folder, name)
    writeFileSync(`${file}.tmp`, text, { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isOpenOrder(value: unknown): value is OpenOrder {
  const { path, id, body } = (value ?? {}) as Partial<Record<keyof OpenOrder, unknown>>
  const isPath = path === '/api/v3/trading/order' || path === '/api/v3/trading/fco/order'
  return isPath && typeof id === 'string' && typeof body === 'object' && body !== null
}

function isOutcome(value: unknown): value is Outcome {
  const { id, says, result, why, sections } = (value ?? {}) as Partial<Record<keyof Outcome, unknown>>
  const areTexts = [id, says, why].every((text) => typeof text === 'string')
  return areTexts && Array.isArray(sections) && RESULTS.includes(result as Outcome['result'])
}
