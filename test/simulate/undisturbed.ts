import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Published } from '../e2e/proportion/support/differences.js'
import { copyFolder } from '../support/folder.js'
import { publishedIn } from './published.js'
import { World } from './world.js'

/** Homes that nothing disturbs, night after night: made once for all seeds, and only read. */
export class Undisturbed {
  readonly #folder = mkdtempSync(join(tmpdir(), 'candlehouse-undisturbed-'))
  readonly #rows = new Map<number, Published>()
  readonly #steps = new Map<number, number>()
  #world: World | undefined

  constructor(private readonly accounts: boolean) {}

  /** What is published after so many nights. */
  rows(nights: number): Published {
    const rows = this.#rows.get(nights)
    if (!rows) throw new RangeError(`${nights} undisturbed nights were not made`)
    return rows
  }

  /** Steps of the nth night. */
  steps(night: number): number {
    return this.#steps.get(night) ?? 0
  }

  /** A catalog names its files by absolute path: until a night publishes, a copy reads those of the original. */
  copyTo(folder: string, nights: number): void {
    if (nights > 0) copyFolder(this.#homeAfter(nights), folder)
  }

  /** Runs the nights up to this one, where they have not run yet. Each has a folder of its own, which stays as it is. */
  async makeUpTo(nights: number): Promise<void> {
    this.#world ??= await World.open({
      root: this.#folder,
      seed: 0,
      accounts: this.accounts,
      trace: () => undefined,
    })
    while (this.#rows.size < nights) {
      const night = this.#rows.size + 1
      const folder = this.#homeAfter(night)
      mkdirSync(folder, { recursive: true })
      this.copyTo(folder, night - 1)
      this.#world.cwd = folder
      this.#world.turn(night)
      const ran = await this.#world.night()
      if (ran.code !== 0)
        throw new Error(`an undisturbed night ends with ${ran.code}\n${ran.stderr}${ran.stdout}`)
      this.#steps.set(night, this.#world.steps)
      this.#rows.set(night, await publishedIn(folder))
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #homeAfter(nights: number): string {
    return join(this.#folder, String(nights))
  }
}
