import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const MIB = 1024 * 1024

/** A quarter of the memory that this process may use: other readers and the nightly run beside it. */
export function readerMemory(): string {
  // In a container the limit of its group; without one, Node answers 0 or more than the machine has.
  const limit = process.constrainedMemory()
  const memory = limit > 0 && limit < totalmem() ? limit : totalmem()
  return `${Math.max(256, Math.floor(memory / 4 / MIB))}MiB`
}

/** A quarter of the disk that is free: a statement that joins everything with everything must not take what a night needs. */
export function spillRoom(folder: string): string {
  const { bavail, bsize } = statfsSync(folder)
  return `${Math.max(256, Math.floor((bavail * bsize) / 4 / MIB))}MiB`
}
