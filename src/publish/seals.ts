import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { hashFile } from '../lake/lake-files.js'
import { MANIFEST } from '../lake/manifest.js'

export const CATALOG = 'catalog.duckdb'
export const SEALED_MANIFEST = `lake/${MANIFEST}`
const SEALED = [SEALED_MANIFEST, CATALOG, DUCKLAKE] as const

type SealedFile = (typeof SEALED)[number]

/** A file as a publication found it. */
interface FoundFile {
  readonly sha256: string
  /** Changes with every file that takes its place. */
  readonly identity: string
  readonly isBroken: boolean
  readonly madeOf: string | null
}

/** The files beside the tables of the lake, compared with what the last publication wrote. */
export class Seals {
  private constructor(
    private readonly warehouse: Database,
    private readonly home: string,
    private readonly files: ReadonlyMap<string, FoundFile>,
    private readonly gone: ReadonlySet<string>,
  ) {}

  /** Compares the files with what was written, and forgets that until `renew`. */
  static async break(warehouse: Database, home: string): Promise<Seals> {
    const rows = await warehouse.rows<{ file: string; sha256: string; madeOf: string | null }>(
      'SELECT file, sha256, made_of AS "madeOf" FROM ops.sealed_file',
    )
    const files = new Map<string, FoundFile>()
    const gone = new Set<string>()
    for (const { file, sha256, madeOf } of rows) {
      const identity = identityOf(join(home, file))
      if (identity === undefined) {
        gone.add(file)
        continue
      }
      const present = await hashFile(join(home, file))
      files.set(file, { sha256: present, identity, isBroken: present !== sha256, madeOf })
    }
    if (rows.length > 0) await warehouse.run('DELETE FROM ops.sealed_file')
    return new Seals(warehouse, home, files, gone)
  }

  /** Whether a file differs from what the last publication wrote. One that is gone does not. */
  isBroken(file: SealedFile): boolean {
    return this.files.get(file)?.isBroken ?? false
  }

  /** Whether the last publication wrote the file, and it is missing now. */
  isGone(file: SealedFile): boolean {
    return this.gone.has(file)
  }

  /** Whether a file is as the last publication wrote it, and was made of this. */
  isOf(file: SealedFile, madeOf: string): boolean {
    const former = this.files.get(file)
    return former !== undefined && !former.isBroken && former.madeOf === madeOf
  }

  /** Records the files as they are now, and what they are made of. */
  async renew(madeOf: Partial<Record<SealedFile, string>>): Promise<void> {
    const rows: string[] = []
    for (const file of SEALED) {
      const path = join(this.home, file)
      const identity = identityOf(path)
      if (identity === undefined) continue
      const former = this.files.get(file)
      const sha256 = former?.identity === identity ? former.sha256 : await hashFile(path)
      rows.push(`('${file}', '${sha256}', ${madeOf[file] === undefined ? 'NULL' : literal(madeOf[file])})`)
    }
    if (rows.length > 0) await this.warehouse.run(`INSERT INTO ops.sealed_file VALUES ${rows.join(', ')}`)
  }
}

/** Undefined where there is no file. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
}
