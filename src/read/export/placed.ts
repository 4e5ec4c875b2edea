import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { refused, systemFault } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../../effects.js'
import { isDevice } from '../../home/disk.js'
import { isAlive, requireUsablePath } from '../../home/home.js'

/** What is written beside `out`, in the folder `work`, before it takes the place of a former export. */
export interface WrittenExport {
  readonly out: string
  readonly work: string
  /** The folder below `work` with the finished files. */
  readonly files: string
  readonly manifest: { readonly format: 'candlehouse-export' }
}

/** An existing file is replaced; an existing folder only if it is empty or an export wrote it. @throws UsageError otherwise */
export function requireReplaceable(out: string, kind: 'file' | 'folder'): void {
  requireUsablePath(out)
  if (isDevice(out))
    throw new UsageError(`${out} is a device or a pipe, and an export writes a file`, {
      hint: 'choose a file with --out; candlehouse sql --csv prints a result on stdout',
    })
  if (!existsSync(out)) return
  const isFolder = statSync(out).isDirectory()
  if (kind === 'file' && !isFolder) return
  if (kind === 'folder' && isFolder && (isExport(join(out, 'manifest.json')) || isEmpty(out))) return
  const [actual, expected] = isFolder ? ['a folder', 'a file'] : ['a file', 'a folder']
  throw new UsageError(
    kind === 'folder' && isFolder
      ? `${out} was not created by an export; refusing to replace it`
      : `${out} is ${actual}, but this export writes ${expected}`,
    { hint: 'choose another --out' },
  )
}

const isEmpty = (folder: string): boolean => readdirSync(folder).length === 0

function isExport(manifest: string): boolean {
  try {
    return (
      (JSON.parse(readFileSync(manifest, 'utf8')) as { format?: unknown }).format === 'candlehouse-export'
    )
  } catch {
    return false
  }
}

/** The folder goes with its export, however that ended. */
export async function removeWork(work: string): Promise<void> {
  await rm(work, { recursive: true, force: true }).catch(() => undefined)
}

/**
 * Makes the folder of an export that is not finished, which is empty: in a container a process that was killed may have had the
 * same id.
 *
 * @throws UsageError or StorageError where nothing can be written beside `out`
 */
export async function makeWork(work: string, out: string): Promise<void> {
  try {
    await removeKilled(work, out)
    await makeFolders(work)
  } catch (cause) {
    throw refused(`write beside ${out}`, cause, 'choose another --out')
  }
}

/** Removes what exports to `out` left that were killed. */
async function removeKilled(work: string, out: string): Promise<void> {
  const folder = dirname(out)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.(\d+)\.tmp$/.exec(name) ?? []
    if (pid === undefined || name !== `${basename(out)}.${pid}.tmp`) continue
    const path = join(folder, name)
    if (path === work || !isAlive(Number(pid))) await rm(path, { recursive: true, force: true })
  }
}

/** With `recursive`, Node never ends where a folder exists and nothing can be made in it, as in /proc. */
async function makeFolders(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolders(parent)
  await mkdir(folder)
}

/** Renames a file, and its manifest beside it, once both are on disk. */
export async function placeFile(
  { out, work, files, manifest }: WrittenExport,
  { disk }: Effects,
): Promise<void> {
  const beside = join(work, 'manifest.json')
  await writeFile(beside, manifestText(manifest))
  await disk.sync(beside)
  disk.rename(join(files, basename(out)), out)
  disk.rename(beside, `${out}.manifest.json`)
  await disk.sync(dirname(out))
}

/** Renames a folder with its manifest, once it is on disk. A former folder goes first: no rename replaces a folder. */
export async function placeFolder(
  { out, work, files, manifest }: WrittenExport,
  { disk }: Effects,
): Promise<void> {
  await mkdir(files, { recursive: true })
  await writeFile(join(files, 'manifest.json'), manifestText(manifest))
  await disk.sync(join(files, 'manifest.json'))
  if (existsSync(out)) setAside(out, work, disk)
  disk.rename(files, out)
  await disk.sync(dirname(out))
}

/** @throws StorageError for a folder on which a disk is mounted: nothing takes its place */
function setAside(out: string, work: string, disk: Effects['disk']): void {
  try {
    disk.rename(out, join(work, 'former'))
  } catch (cause) {
    if (systemFault(cause)?.code !== 'EBUSY') throw cause
    throw new StorageError(`cannot replace ${out}: a disk is mounted on it, or a program uses it`, {
      hint: `choose a folder below it: --out ${shellWord(join(out, 'export'))}`,
      cause,
    })
  }
}

function manifestText(manifest: WrittenExport['manifest']): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}
