import { dirname, join } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Disk } from '../home/disk.js'
import { makeFolders, writeWholeFiles } from '../home/files.js'

export interface PageFile {
  /** Relative to the home folder. */
  readonly file: string
  /** Gzip. */
  readonly bytes: Uint8Array
}

const HINT = 'free some space or choose another folder with CANDLEHOUSE_HOME, then run again'

/** Writes the files of pages of one run. */
export class PageFiles {
  /** Folders that exist: a page in one of them saves three system calls. */
  private readonly knownFolders = new Set<string>()

  constructor(
    private readonly home: string,
    private readonly disk: Disk,
  ) {}

  /**
   * Writes the files of pages, each whole or not at all; on return all of them are on disk.
   *
   * @throws StorageError when the disk refuses any of them
   */
  async write(pages: readonly PageFile[]): Promise<void> {
    const files = pages.map(({ file, bytes }) => ({ file: join(this.home, file), content: bytes }))
    for (const { file } of files) await this.makeFolderOf(file)
    await writeWholeFiles(files, { mode: 0o600, hint: HINT, tempOf: (file) => `${file}.tmp` }, this.disk)
  }

  /** Creates the folder of a file with its parents, and waits until their names are on disk. */
  private async makeFolderOf(file: string): Promise<void> {
    const folder = dirname(file)
    if (this.knownFolders.has(folder)) return
    try {
      await makeFolders(folder, 0o700, this.disk)
    } catch (cause) {
      throw refused(`write ${file}`, cause, HINT)
    }
    this.knownFolders.add(folder)
  }
}
