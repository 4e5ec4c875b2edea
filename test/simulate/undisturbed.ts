import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Published, Row } from '../e2e/proportion/support/differences.js'
import { copyFolder } from '../support/folder.js'
import { publishedIn } from './published.js'
import { World } from './world.js'

/** What one undisturbed night was, beside its home. */
interface Kept {
  readonly steps: number
  readonly rows: Readonly<Record<string, readonly string[]>>
}

/** Homes that nothing disturbs, night after night: made once for all seeds, and only read. */
export class Undisturbed {
  private readonly folder: string
  private readonly storedRows = new Map<number, Published>()
  private readonly storedSteps = new Map<number, number>()
  private world: World | undefined

  /** @param kept where homes of another program are, or will be, kept. @default a folder that is removed */
  constructor(
    private readonly accounts: boolean,
    private readonly kept?: string,
  ) {
    this.folder = kept
      ? join(kept, accounts ? 'with-accounts' : 'market')
      : mkdtempSync(join(tmpdir(), 'candlehouse-undisturbed-'))
    for (let night = 1; existsSync(this.recordOf(night)); night++) {
      const { steps, rows } = JSON.parse(readFileSync(this.recordOf(night), 'utf8')) as Kept
      this.storedSteps.set(night, steps)
      const published = Object.entries(rows).map(([name, texts]) => [name, byText(texts)] as const)
      this.storedRows.set(night, new Map(published))
    }
  }

  /** What is published after so many nights. */
  rows(nights: number): Published {
    const rows = this.storedRows.get(nights)
    if (!rows) throw new RangeError(`${nights} undisturbed nights were not made`)
    return rows
  }

  /** Steps of the nth night. */
  steps(night: number): number {
    return this.storedSteps.get(night) ?? 0
  }

  /** A catalog names its files by absolute path: until a night publishes, a copy reads those of the original. */
  copyTo(folder: string, nights: number): void {
    if (nights > 0) copyFolder(this.homeAfter(nights), folder)
  }

  /** Runs the nights up to this one, where they have not run yet. Each has a folder of its own, which stays as it is. */
  async makeUpTo(nights: number): Promise<void> {
    if (this.storedRows.size >= nights) return
    this.world ??= await World.open({
      root: this.folder,
      seed: 0,
      accounts: this.accounts,
      trace: () => undefined,
    })
    while (this.storedRows.size < nights) {
      const night = this.storedRows.size + 1
      const folder = this.homeAfter(night)
      mkdirSync(folder, { recursive: true })
      this.copyTo(folder, night - 1)
      this.world.cwd = folder
      this.world.turn(night)
      const ran = await this.world.night()
      if (ran.code !== 0)
        throw new Error(`an undisturbed night ends with ${ran.code}\n${ran.stderr}${ran.stdout}`)
      this.storedSteps.set(night, this.world.steps)
      this.storedRows.set(night, await publishedIn(folder))
      if (this.kept) this.keep(night)
    }
  }

  remove(): void {
    if (!this.kept) rmSync(this.folder, { recursive: true, force: true })
  }

  private homeAfter(nights: number): string {
    return join(this.folder, String(nights))
  }

  private keep(night: number): void {
    const rows = Object.fromEntries([...this.rows(night)].map(([name, byRow]) => [name, [...byRow.keys()]]))
    const record: Kept = { steps: this.steps(night), rows }
    writeFileSync(this.recordOf(night), JSON.stringify(record))
  }

  private recordOf(night: number): string {
    return `${this.homeAfter(night)}.json`
  }
}

const byText = (texts: readonly string[]): ReadonlyMap<string, Row> =>
  new Map(texts.map((text) => [text, JSON.parse(text) as Row]))
