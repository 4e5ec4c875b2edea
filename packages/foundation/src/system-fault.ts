import { CandlehouseError, StorageError } from './errors.js'

/** Why the system refused: a full disk, no permission, and the like. */
export interface SystemFault {
  /** As Node names it: ENOSPC. */
  readonly code: string
  readonly words: string
  /** What to do about it. */
  readonly hint: string
}

const AGAIN = 'then run the same command again'

/** Every refusal of the file system by its code: its text in DuckDB's messages (strerror), our words, what to do. */
const FAULTS: readonly (readonly [code: string, text: RegExp, words: string, hint: string])[] = [
  [
    'ENOSPC',
    /No space left|out of disk|max_temp_directory_size/i,
    'the disk is full',
    `free some disk space, ${AGAIN}`,
  ],
  ['EDQUOT', /disk quota/i, 'the disk quota is used up', `free some space or raise the quota, ${AGAIN}`],
  [
    'EFBIG',
    /File too large/,
    'the file is too large for the file system or its limit',
    `raise the limit on file sizes (ulimit -f), ${AGAIN}`,
  ],
  [
    'EMFILE',
    /Too many open files(?! in system)/i,
    'too many files are open',
    `raise the limit (ulimit -n 4096), ${AGAIN}`,
  ],
  [
    'ENFILE',
    /Too many open files in system/i,
    'too many files are open on this machine',
    `close other programs, ${AGAIN}`,
  ],
  [
    'EACCES',
    /Permission denied/,
    'permission denied',
    `give this user access to it (ls -ld shows the owner), ${AGAIN}`,
  ],
  [
    'EPERM',
    /Operation not permitted/,
    'the operation is not permitted',
    `give this user access to it (ls -ld shows the owner), ${AGAIN}`,
  ],
  [
    'EROFS',
    /Read-only file system/i,
    'the file system is read-only',
    'make it writable, or choose another home with CANDLEHOUSE_HOME',
  ],
  [
    'ENOTDIR',
    /Not a directory/,
    'a part of the path is not a folder',
    `move away the file that has the name of a folder, ${AGAIN}`,
  ],
  ['EISDIR', /Is a directory/, 'it is a folder', `move the folder away, ${AGAIN}`],
  [
    'ENOENT',
    /No such file or directory|No files found that match/,
    'there is no such file or folder',
    `restore it or correct the path, ${AGAIN}`,
  ],
  [
    'EIO',
    /Input\/output error/,
    'the disk reports an input/output error',
    `check the disk (dmesg), ${AGAIN}`,
  ],
  ['ENODEV', /No such device/, 'the device is gone', `mount it again, ${AGAIN}`],
  ['ESTALE', /Stale file handle/i, 'the network file system lost the file', `mount it again, ${AGAIN}`],
  ['ENAMETOOLONG', /File name too long/, 'the path is too long', 'choose a shorter path'],
  [
    'ELOOP',
    /Too many levels of symbolic links/,
    'its symbolic links lead in a circle',
    `correct the links, ${AGAIN}`,
  ],
  ['EBUSY', /Device or resource busy/, 'another program is using it', `stop that program, ${AGAIN}`],
  ['EEXIST', /File exists/, 'something else has that name', `move it away, ${AGAIN}`],
  ['ENOTEMPTY', /Directory not empty/, 'the folder is not empty', `move its content away, ${AGAIN}`],
  [
    'ENOMEM',
    /Cannot allocate memory|Out of Memory Error/,
    'the memory is used up',
    `free some memory, or ask for less at a time, ${AGAIN}`,
  ],
]

/** Calls of Node that concern no file: their failures are not storage. */
const NOT_OF_FILES = /^(connect|getaddrinfo|listen|bind|accept|spawn|kill)/

/** Errors of DuckDB whose text is a refusal of the system; others may have such words in a user's value. */
const OF_DUCKDB = /^(IO|Out of Memory|TransactionContext|FATAL|Could not|Failed)\b/

/** Why the system refused, for an error of Node's file system or of DuckDB; undefined for every other error. */
export function systemFault(error: unknown): SystemFault | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof StorageError) return systemFault(error.cause)
  const { code, syscall } = error as NodeJS.ErrnoException
  const isOfNode = code !== undefined && syscall !== undefined && !NOT_OF_FILES.test(syscall)
  const isOfDuckDb = code === undefined && OF_DUCKDB.test(error.message)
  const fault = FAULTS.find(([name, text]) =>
    isOfNode ? name === code : isOfDuckDb && text.test(error.message),
  )
  if (!fault) return undefined
  const [name, , words, hint] = fault
  return { code: name, words, hint }
}

/** Why something failed, in a few words for a warning. */
export function reasonOf(error: unknown): string {
  return systemFault(error)?.words ?? firstLine(error)
}

/**
 * A storage error for what the system refused: what was tried, of which path, and what to do.
 *
 * @param what is impossible now: 'write /home/x'
 * @param hint where the cause is none of the system's
 */
export function refused(what: string, cause: unknown, hint: string): StorageError {
  const fixed = systemFault(cause)?.hint ?? hint
  return new StorageError(`cannot ${what}: ${reasonOf(cause)}`, { hint: fixed, cause })
}

/** The net at the edge of a run and of the process: a refusal of the system that nobody has put into words. */
export function withoutSystemFault(error: unknown): unknown {
  if (error instanceof CandlehouseError) return error
  const fault = systemFault(error)
  if (!fault) return error
  const { syscall, path } = error as NodeJS.ErrnoException
  const message =
    syscall === undefined
      ? firstLine(error).replace(/^([A-Za-z ]+ Error: )+/, '')
      : `cannot ${CALLS[syscall] ?? syscall}${path ? ` ${path}` : ' a file'}: ${fault.words}`
  return new StorageError(message, { hint: fault.hint, cause: error })
}

/** Calls of the file system in words. */
const CALLS: Readonly<Record<string, string>> = {
  open: 'open',
  read: 'read',
  write: 'write',
  fsync: 'write',
  fdatasync: 'write',
  scandir: 'list',
  opendir: 'list',
  mkdir: 'create',
  mkdtemp: 'create a folder in',
  copyfile: 'copy',
  unlink: 'remove',
  rmdir: 'remove',
  rm: 'remove',
  lstat: 'look at',
  stat: 'look at',
  uv_cwd: 'use the working folder',
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
