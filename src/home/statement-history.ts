import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import type { Disk } from './disk.js'
import { writeWholeFile } from './files.js'

/** Statements that the next start knows. */
const KEPT = 1_000

/** Statements of former starts of a prompt or a console and of this one, one per line, the latest first. */
export class History {
  /** As readline keeps it. */
  readonly statements: string[] = []
  private readonly disk: Disk
  private isKept = true

  /** @param clean removes secrets: a statement that has one is not kept */
  constructor(
    private readonly file: string,
    private readonly clean: (text: string) => string,
    { disk }: Effects,
  ) {
    this.disk = disk
  }

  /**
   * Reads the file, and shortens it where it has grown to twice its length.
   *
   * @returns why statements are not kept; undefined where they are
   */
  async open(): Promise<string | undefined> {
    try {
      this.disk.makeFolder(dirname(this.file), 0o700)
      if (!existsSync(this.file)) return undefined
      this.disk.setMode(this.file, 0o600)
      const lines = readFileSync(this.file, 'utf8').split('\n').filter(Boolean)
      const latest = lines.slice(-KEPT)
      this.statements.push(...latest.toReversed())
      const text = `${latest.join('\n')}\n`
      if (lines.length >= 2 * KEPT)
        await writeWholeFile(this.file, text, { mode: 0o600, hint: '' }, this.disk)
      return undefined
    } catch (error) {
      this.isKept = false
      return reasonOf(error)
    }
  }

  /** Adds a statement of one line, unless it was the last one already. */
  add(line: string): void {
    if (line === this.statements[0] || this.clean(line) !== line) return
    this.statements.unshift(line)
    if (!this.isKept) return
    try {
      const file = this.disk.append(this.file, 0o600)
      try {
        file.write(`${line}\n`)
      } finally {
        file.close()
      }
    } catch {
      // A full disk does not end a prompt or a console; the statement is known until it ends.
      this.isKept = false
    }
  }
}
