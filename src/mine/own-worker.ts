import { statSync } from 'node:fs'
import { every, TimeIsUp, withinTime } from 'candlehouse-foundation/timers'
import { openReader, type Reader } from '../duckdb/reader.js'
import { spillRoom } from '../duckdb/reader-limits.js'
import { identifier } from '../duckdb/sqlfile.js'
import { asSubquery } from '../duckdb/streaming.js'
import { systemEffects } from '../effects.js'
import { bindHere } from './bind.js'
import type { BindMessage, BindRequest, OwnAnswer, OwnMessage, OwnRequest, OwnResult } from './own-process.js'

/** The process of statements of the user's own: `own-process.ts` starts it and ends it. It gets one request after the other. */

/** Often enough that memory and file do not grow by a machine's worth in between. */
const WATCH_MS = 100

/** What an interrupted statement gets to end by itself. */
const GRACE_MS = 2_000

/** DuckDB's own memory. It spills beyond it. */
const MEMORY = '512MiB'

/** A process that has taken more does not give it back: the next request gets a new one. */
const REUSED_RSS_BYTES = 512 * 1024 ** 2

process.on('message', (message: OwnMessage) => void answer(message))
// The owner has ended, however it did.
process.on('disconnect', die)

async function answer(message: OwnMessage): Promise<void> {
  const answered = await (message.kind === 'bind' ? bind(message) : runBounded(message))
  if (process.memoryUsage.rss() > REUSED_RSS_BYTES) end(answered)
  else process.send?.(answered satisfies OwnAnswer)
}

async function runBounded(request: OwnRequest): Promise<OwnResult> {
  const { limits, file } = request
  const unwatch = every(
    WATCH_MS,
    () => {
      if (process.memoryUsage.rss() > limits.rssBytes) end({ wrong: inWords('memory', limits.rssBytes) })
      if (file !== undefined && sizeOf(file) > limits.fileBytes)
        end({ wrong: inWords('room for its file', limits.fileBytes) })
    },
    systemEffects,
  )
  const cancel = systemEffects.after(limits.ms + GRACE_MS, () => end({ wrong: tooLong(limits.ms) }))
  try {
    return await run(request)
  } catch (cause) {
    return { wrong: cause instanceof TimeIsUp ? tooLong(limits.ms) : (cause as Error).message.trim() }
  } finally {
    unwatch()
    cancel()
  }
}

/** What a file may take to be bound. */
const BIND_MS = 20_000
const BIND_RSS_BYTES = 1024 ** 3

/** Binds all files, and names each before: the owner knows which one did not end. */
async function bind({ home, refused }: BindRequest): Promise<BindMessage> {
  let cancel: (() => void) | undefined
  const unwatch = every(
    WATCH_MS,
    () => {
      if (process.memoryUsage.rss() > BIND_RSS_BYTES)
        end({ wrong: inWords('memory to bind', BIND_RSS_BYTES) })
    },
    systemEffects,
  )
  const onFile = (binding: string): void => {
    cancel?.()
    process.send?.({ binding } satisfies BindMessage)
    cancel = systemEffects.after(BIND_MS, () => end({ wrong: `${tooLong(BIND_MS)} to bind` }))
  }
  try {
    return { bound: await bindHere(home, systemEffects, new Map(refused), onFile) }
  } catch (cause) {
    return { wrong: (cause as Error).message }
  } finally {
    unwatch()
    cancel?.()
  }
}

async function run({ catalog, lake, sql, folder, file, limits }: OwnRequest): Promise<OwnResult> {
  // One thread: the same files give the same rows in the same order, and sums of floating point numbers do not differ.
  const options = { memoryLimit: MEMORY, threads: 1, out: folder, outSpill: spillRoom(folder) }
  using reader = await openReader(catalog, [lake], options)
  const columns = await reader.describe(sql)
  const limited = `SELECT * FROM (\n${asSubquery(sql)}\n) LIMIT ${limits.rows + 1}`
  const work = async (signal: AbortSignal): Promise<OwnResult> => {
    const stop = { signal, effects: systemEffects }
    const ignore = (): void => {}
    if (file !== undefined) {
      const written = await reader.copy(limited, file, 'FORMAT parquet, COMPRESSION zstd', ignore, stop)
      return written > limits.rows ? { wrong: tooMany(limits.rows) } : { columns, rows: [] }
    }
    const rows = await textsOf(reader, limited, columns, stop)
    return rows.length > limits.rows ? { wrong: tooMany(limits.rows) } : { columns, rows }
  }
  return await withinTime(limits.ms, undefined, work, systemEffects)
}

async function textsOf(
  reader: Reader,
  sql: string,
  columns: readonly { name: string }[],
  stop: { signal: AbortSignal; effects: typeof systemEffects },
): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  const texts = columns.map((_, at) => `CAST(c${at} AS VARCHAR) AS ${identifier(`c${at}`)}`).join(', ')
  const names = columns.map((_, at) => `c${at}`).join(', ')
  await reader.stream(
    `SELECT ${texts} FROM (\n${sql}\n) AS result(${names})`,
    () => {},
    (chunk) => void rows.push(...(chunk as (string | null)[][])),
    stop,
  )
  return rows
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function tooLong(ms: number): string {
  return `it takes longer than ${ms / 1000} s`
}

function tooMany(rows: number): string {
  return `it gives more than ${rows.toLocaleString('en-US')} rows`
}

function inWords(what: string, bytes: number): string {
  return `it takes more than ${Math.round(bytes / 1024 ** 2).toLocaleString('en-US')} MiB of ${what}`
}

function end(answered: OwnAnswer): void {
  process.send?.({ ...answered, ends: true } satisfies OwnAnswer, die)
}

/** An exit would wait for the threads of DuckDB. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
