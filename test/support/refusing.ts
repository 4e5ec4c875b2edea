import fs from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Calls of the file system that may be refused; those of a descriptor follow from them. */
const SYNC = [
  'mkdirSync',
  'mkdtempSync',
  'readFileSync',
  'writeFileSync',
  'readdirSync',
  'chmodSync',
  'openSync',
  'renameSync',
] as const
const ASYNC = [
  'open',
  'mkdir',
  'rename',
  'rm',
  'stat',
  'readFile',
  'writeFile',
  'copyFile',
  'link',
  'chmod',
] as const
const OF_HANDLE = ['writeFile', 'appendFile', 'sync', 'datasync', 'chmod'] as const

/** What the system refuses: the `nth` call for a path below `folder`, with this code. */
export interface Refusal {
  readonly code: string
  readonly nth: number
  readonly folder: string
}

type Call = (...args: unknown[]) => unknown

/** How a call says that it was refused. */
type Answer = 'throws' | 'rejects' | 'calls back'

/**
 * Does the work while the file system refuses one call, as a disk would that is full for a moment.
 *
 * @returns the call that was refused; undefined if the work made fewer calls
 */
export async function refusing<T>(
  { code, nth, folder }: Refusal,
  work: () => Promise<T>,
): Promise<{ value: T; refused: string | undefined }> {
  let count = 0
  let refused: string | undefined
  const restore: (() => void)[] = []
  const patch = (target: object, name: string, hasPath: boolean, answer: Answer): void => {
    const record = target as Record<string, Call>
    const original = record[name] as Call
    record[name] = function (this: unknown, ...args: unknown[]) {
      const path = hasPath ? String(args[0]) : undefined
      const isBelow = path === undefined || path.startsWith(folder)
      if (isBelow) count += 1
      if (count !== nth || refused !== undefined || !isBelow) return original.apply(this, args)
      refused = `${name} ${path ?? ''}`
      const syscall = name.replace('Sync', '').toLowerCase()
      const error = Object.assign(new Error(`${code}: refused by the test, ${syscall} '${path}'`), {
        code,
        syscall,
        ...(path === undefined ? {} : { path }),
      })
      if (answer === 'throws') throw error
      if (answer === 'rejects') return Promise.reject(error)
      return (args.at(-1) as Call)(error)
    }
    restore.push(() => {
      record[name] = original
    })
  }
  for (const name of SYNC) patch(fs, name, true, 'throws')
  for (const name of ASYNC) patch(promises, name, true, 'rejects')
  const handle: FileHandle = await promises.open(new URL(import.meta.url))
  const prototype = Object.getPrototypeOf(handle) as object
  await handle.close()
  for (const name of OF_HANDLE) patch(prototype, name, false, 'rejects')
  patch(fs, 'fdatasync', false, 'calls back')
  syncBuiltinESMExports()
  count = 0
  try {
    return { value: await work(), refused }
  } finally {
    for (const undo of restore) undo()
    syncBuiltinESMExports()
  }
}
