import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenOrder } from './open-orders.js'
import { htmlOf, type Report, textOf } from './report.js'
import type { Outcome } from './suite.js'

const OPEN_ORDERS = 'open-orders.json'

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

  /** Orders that are open while the run goes on. They are not for sharing; the file goes with the last one. */
  writeOpenOrders(orders: readonly OpenOrder[]): void {
    if (orders.length === 0) rmSync(join(this.folder, OPEN_ORDERS), { force: true })
    else this.put(OPEN_ORDERS, JSON.stringify(orders))
  }

  readOpenOrders(): OpenOrder[] {
    const file = join(this.folder, OPEN_ORDERS)
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as OpenOrder[]) : []
  }

  /**
   * What an earlier run found out. What it skipped is looked at again.
   *
   * @throws Error when there is no report, or it is of another service or version
   */
  readEarlier(url: string, version: string): Outcome[] {
    const file = join(this.folder, 'conformance.json')
    if (!existsSync(file)) throw new Error(`--resume: ${file} does not exist`)
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    if (report.format !== 1 || report.url !== url || report.version !== version)
      throw new Error(`--resume: ${file} is of another service or version; begin again without --resume`)
    return report.outcomes.filter(({ result }) => result !== 'skipped')
  }

  private put(name: string, text: string): void {
    const file = join(this.folder, name)
    writeFileSync(`${file}.tmp`, text, { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
  }
}
