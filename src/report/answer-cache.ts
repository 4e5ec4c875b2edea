import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Reader } from '../duckdb/reader.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { writeWholeFile } from '../home/files.js'
import { objectsOf } from '../read/query.js'

/** Questions of which nothing reads what every publication changes: runs, requests, publications. */
export const CACHED_QUESTIONS: ReadonlySet<string> = new Set([
  'indexes',
  'index_history',
  'symbols',
  'flows',
  'sectors',
  'auctions',

  'accounts',
  'positions',
  'margins',
])

type Rows = readonly object[]

/**
 * Answers to questions about the market and the accounts. They follow from the files that the catalog reads, and those
 * are the same after a night that changed nothing: planning and running these questions takes 0.2 CPU-seconds, most of it
 * for the accounts.
 */
export class AnswerCache {
  private readonly answers = new Map<string, Rows>()

  /** @param state SHA-256 of the catalog without what every publication changes; null for one of an earlier version */
  private constructor(
    private readonly reader: Reader,
    private readonly state: string | null,
    private readonly former: ReadonlyMap<string, Rows>,
  ) {}

  /** @param file that `write` wrote; without one nothing is known yet */
  static async read(reader: Reader, file: string): Promise<AnswerCache> {
    const state = await stateOf(reader)
    return new AnswerCache(reader, state, readAnswers(file, state))
  }

  /** The rows of a question's statement: they are what is kept, so nobody may change them. */
  async ask<Row>(question: string, sql: string): Promise<readonly Row[]> {
    const name = digest([question, sql])
    const kept = CACHED_QUESTIONS.has(question)
    const rows = (kept && this.former.get(name)) || (await objectsOf(this.reader, sql))
    if (kept) this.answers.set(name, rows)
    return Object.freeze(rows) as readonly Row[]
  }

  /** Keeps the answers, unless all of them are in the file. @throws StorageError where the disk refuses */
  async write(file: string, { disk }: Effects): Promise<void> {
    const isKnown = [...this.answers.keys()].every((name) => this.former.has(name))
    if (this.state === null || isKnown || ![...this.answers.values()].every(isExactAsJson)) return
    const text = JSON.stringify({ state: this.state, answers: Object.fromEntries(this.answers) })
    await writeWholeFile(file, text, { mode: 0o600, folderMode: 0o700, hint: 'free some space' }, disk)
  }
}

async function stateOf(reader: Reader): Promise<string | null> {
  const rows = await objectsOf<{ made_of: string; files: string | null }>(
    reader,
    sqlFile('report/state.sql'),
  ).catch(() => [])
  const [state] = rows
  return state ? digest(state) : null
}

function readAnswers(file: string, state: string | null): ReadonlyMap<string, Rows> {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { state: string; answers: Record<string, Rows> }
    return kept.state === state ? new Map(Object.entries(kept.answers)) : new Map()
  } catch {
    // Missing, or cut short by a power failure: everything is asked.
    return new Map()
  }
}

/** Whether JSON brings back the same values: it has no infinity, no NaN and no negative zero. */
function isExactAsJson(rows: Rows): boolean {
  return rows
    .flatMap((row) => Object.values(row) as unknown[])
    .every((value) => typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0)))
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
