import { refused } from 'candlehouse-foundation/system-fault'
import type { Disk, OpenFile } from '../../home/disk.js'
import type { Mode } from './dot-command.js'
import type { Screen } from './result-screen.js'

/** A file that results are written to instead of the screen. It is made, or replaced, by the first result. */
export class OutputFile {
  private file: OpenFile | undefined

  /** @param once whether only the next result goes there */
  constructor(
    readonly path: string,
    readonly once: boolean,
    private readonly disk: Disk,
  ) {}

  /** The form of a result where the person has chosen none: by the name of the file. */
  modeFor(mode: Mode): Mode {
    if (mode !== 'auto') return mode
    if (/\.csv$/i.test(this.path)) return 'csv'
    return /\.json$/i.test(this.path) ? 'json' : 'table'
  }

  /** As a screen that is never full: what arrives is written. */
  screen(): Screen {
    return {
      columns: Number.POSITIVE_INFINITY,
      rows: 0,
      numbers: 'exact',
      write: async (text) => this.write(text),
      openPager: () => undefined,
    }
  }

  close(): void {
    this.file?.close()
    this.file = undefined
  }

  /** @throws StorageError where the disk refuses */
  private write(text: string): void {
    try {
      // Only its owner can read it: results may be of accounts.
      this.file ??= this.disk.create(this.path, 0o600)
      this.file.write(text)
    } catch (cause) {
      throw refused(`write ${this.path}`, cause, 'choose another file')
    }
  }
}
