import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Calls of the file system that may be refused. */
const SYNC = [
  'mkdirSync',
  'mkdtempSync',
  'readFileSync',
  'writeFileSync',
  'readdirSync',
  'chmodSync',
  'openSync',
  'renameSync',
  'linkSync',
  'rmSync',
  'copyFileSync',
  'fchmodSync',
  'ftruncateSync',
] as const
const ASYNC = ['open', 'stat', 'readFile'] as const
const SYNCS = ['fsync', 'fdatasync'] as const

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
  const opened = new Map<unknown, string>()
  const patch = (target: object, name: string, answer: Answer): void => {
    const record = target as Record<string, Call>
    const original = record[name] as Call
    record[name] = function (this: unknown, ...args: unknown[]) {
      const [file] = args
      const path = opened.get(file) ?? String(file)
      const isBelow = path.startsWith(folder)
      if (isBelow) count += 1
      if (count !== nth || refused !== undefined || !isBelow) return original.apply(this, args)
      refused = `${name} ${path}`
      const syscall = name.replace('Sync', '').toLowerCase()
      const error = Object.assign(new Error(`${code}: refused by the test, ${syscall} '${path}'`), {
        code,
        syscall,
        path,
      })
      if (answer === 'throws') throw error
      if (answer === 'rejects') return Promise.reject(error)
      return (args.at(-1) as Call)(error)
    }
    restore.push(() => {
      record[name] = original
    })
  }
  const { openSync } = fs
  restore.push(() => {
    fs.openSync = openSync
  })
  fs.openSync = (path, ...rest) => {
    const handle = openSync(path, ...rest)
    opened.set(handle, String(path))
    return handle
  }
  for (const name of SYNC) patch(fs, name, 'throws')
  for (const name of ASYNC) patch(promises, name, 'rejects')
  for (const name of SYNCS) patch(fs, name, 'calls back')
  syncBuiltinESMExports()
  count = 0
  try {
    return { value: await work(), refused }
  } finally {
    for (const undo of restore.toReversed()) undo()
    syncBuiltinESMExports()
  }
}
