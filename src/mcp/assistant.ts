import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import type { Effects } from '../effects.js'
import { readConclusion } from '../night/conclusion-file.js'
import { readProgress } from '../night/progress.js'
import { boundedStatement, CUT } from '../read/bounded-statement.js'
import { firstRows } from '../read/first-rows.js'
import { LiveCatalog, type OpenCatalog } from '../read/live-catalog.js'
import { marketCatalog } from '../read/market-catalog.js'
import { asking, openCatalog, withComments } from '../read/query.js'
import { StatementLanes } from '../read/statement-lanes.js'
import { namesGiven } from '../read/statement-names.js'
import type { StatementTree } from '../read/statement-tree.js'
import { runOn } from '../read/user-statement.js'
import type { AssistantLimits } from './assistant-limits.js'
import { type Call, callBehind, callHash } from './calls.js'
import { type CatalogIndex, readCatalogIndex } from './catalog-index.js'
import { described } from './describe.js'
import { findThings } from './find.js'
import { notCovered, relationsRead } from './not-covered.js'
import { type PublicationFacts, readPublicationFacts, staleness } from './publication-facts.js'
import { reportLines } from './report-lines.js'
import { rowsBehind } from './rows-behind.js'
import { guardedTree, requireMarket } from './statement-guard.js'
import { statusRows } from './status-rows.js'
import { type Answer, type Findings, fitted, textColumns } from './tool-answer.js'
import { tracedRows } from './traced-rows.js'

export interface AssistantOptions {
  readonly home: string
  /** Whether answers may have facts about accounts. */
  readonly hasAccounts: boolean
  readonly limits: AssistantLimits
  /** Called where a call does not end although its statement was interrupted. @default nothing */
  readonly whenStuck?: () => void
}

/** Functions and words whose value is another one at the next call. */
const CHANGING =
  /^(random|uuid|uuidv4|uuidv7|gen_random_uuid|now|today|get_current_timestamp|get_current_time|current_timestamp|current_date|transaction_timestamp|current_query_id|current_localtimestamp|current_localtime)$/

/** Answers the calls of an assistant from the published catalog. It only reads. */
export class Assistant {
  private readonly lanes: StatementLanes
  /** The whole catalog, for what every answer says of its publication. */
  private readonly whole: LiveCatalog
  private readonly factsOf = new WeakMap<Reader, Promise<PublicationFacts>>()
  private readonly indexOf = new WeakMap<Reader, Promise<CatalogIndex>>()
  private readonly idOf = new WeakMap<Reader, Promise<number>>()
  private running = 0

  constructor(
    private readonly options: AssistantOptions,
    private readonly effects: Effects,
  ) {
    const { home, hasAccounts, limits } = options
    // One thread: the rows of a statement come in the same order each time, and a nightly has the other cores. No folder to
    // spill to: nothing that is asked writes a file.
    const reader = { memoryLimit: limits.memory, threads: 1, spill: undefined }
    const open: OpenCatalog = hasAccounts ? openCatalog : marketCatalog(effects)
    this.lanes = new StatementLanes(home, reader, limits.statements, open)
    this.whole = new LiveCatalog(home, reader)
  }

  /**
   * Makes a call.
   *
   * @throws UsageError for what cannot be answered · StorageError before the first publication
   */
  async answer(call: Call, cancel: AbortSignal): Promise<Answer> {
    const { limits } = this.options
    if (this.running >= limits.calls)
      throw new UsageError(`${limits.calls} calls are under way, the most at a time`, {
        hint: 'ask again when one has ended',
      })
    this.running += 1
    try {
      return (await this.answered(call, cancel)) ?? (await this.answered(call, cancel)) ?? unsettled()
    } finally {
      this.running -= 1
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.lanes.close(), this.whole.close()])
  }

  /** Undefined where a publication has replaced the catalog meanwhile: its facts are not those of the rows. */
  private async answered(call: Call, cancel: AbortSignal): Promise<Answer | undefined> {
    const { home, limits } = this.options
    return await this.lanes.use(
      async (reader) =>
        await this.watched(async () => {
          const facts = await this.facts()
          if ((await this.publicationOf(reader)) !== facts.publication.id) return undefined
          const { notes = [], ...found } = await this.findings(call, reader, facts, cancel)
          const answer = {
            publication: facts.publication,
            ...found,
            statement_hash: callHash(call),
            stale: staleness(facts, home, this.effects),
            notes,
          }
          const size = Buffer.byteLength(JSON.stringify(answer))
          if (size <= limits.answerBytes) return answer
          throw new UsageError(`the answer has ${size} bytes, more than ${limits.answerBytes}`, {
            hint: 'select fewer columns, or ask for fewer rows',
          })
        }),
      cancel,
    )
  }

  /** DuckDB does not interrupt a function that is under way: the owner of this object can end the process. */
  private async watched<T>(work: () => Promise<T>): Promise<T> {
    const { limits, whenStuck = () => undefined } = this.options
    const ended = this.effects.after(limits.ms + GRACE_MS, whenStuck)
    try {
      return await work()
    } finally {
      ended()
    }
  }

  private async findings(
    call: Call,
    reader: Reader,
    facts: PublicationFacts,
    cancel: AbortSignal,
  ): Promise<Findings> {
    switch (call.tool) {
      case 'query':
        return await this.query(call.sql, call.limit, reader, facts, cancel)
      case 'describe':
        this.requireShown(call.relation)
        return this.fitting(described(call.relation, await this.index(reader)))
      case 'find': {
        const rows = await findThings(call.text, await this.index(reader), asking(reader))
        return this.fitting({ columns: textColumns('kind', 'name', 'about'), rows: rows.slice(0, FOUND) })
      }
      case 'trace': {
        this.requireShown(call.relation)
        const traced = await tracedRows(reader, this.options.home, call.relation, call.key)
        const columns = textColumns('relation', 'step', 'name', 'value')
        return this.fitting({ columns, rows: traced.facts, notes: traced.notes })
      }
      case 'report': {
        const lines = await reportLines(this.options.home, this.options.hasAccounts, this.effects)
        return this.fitting({ columns: textColumns('line'), rows: lines.map((line) => [line]) })
      }
      case 'status': {
        const { home, hasAccounts } = this.options
        const rows = statusRows(facts, readConclusion(home), readProgress(home), hasAccounts)
        return this.fitting({ columns: textColumns('about', 'name', 'value'), rows })
      }
    }
  }

  private async query(
    sql: string,
    limit: number,
    reader: Reader,
    facts: PublicationFacts,
    cancel: AbortSignal,
  ): Promise<Findings> {
    const { limits, hasAccounts } = this.options
    if (sql.length > limits.statementCharacters) {
      throw new UsageError(
        `the statement has ${sql.length} characters, more than ${limits.statementCharacters}`,
        {
          hint: 'ask for less at a time',
        },
      )
    }
    const tree = await guardedTree(reader, sql)
    if (!hasAccounts) requireMarket([...tree.tables, ...tree.tableFunctions, ...namesGiven(tree)])
    const text = withComments(sql)
    const columns = await reader.describe(text)
    if (columns.length > MOST_COLUMNS) {
      throw new UsageError(`the result has ${columns.length} columns, more than ${MOST_COLUMNS}`, {
        hint: 'name the columns that are needed',
      })
    }
    const rows = Math.min(limit, limits.rows)
    const bounded = boundedStatement(text, columns, { rows, textCharacters: limits.textCharacters })
    const result = await firstRows((sink) => runOn(reader, bounded, sink, limits, cancel, this.effects), {
      rows,
      bytes: limits.rowBytes,
    })
    const read = relationsRead(tree)
    const isCut = result.texts.some((row) => row.includes(CUT))
    const behind = await rowsBehind(reader, text)
    return {
      columns,
      rows: result.texts.map((row) => JSON.parse(row) as unknown[]),
      truncated: result.cut !== null || isCut,
      not_covered: notCovered(tree, read, facts),
      ...(behind === undefined
        ? {}
        : { rows_behind: { statement_hash: callHash(callBehind(behind, limits)), sql: behind } }),
      notes: notesOf(tree, {
        cut: result.cut,
        isCut,
        rows: result.texts.length,
        asked: limit,
        most: limits.rows,
      }),
    }
  }

  private requireShown(relation: string): void {
    const [schema, name] = relation.includes('.') ? relation.split('.') : ['', relation]
    if (!this.options.hasAccounts) requireMarket([{ schema: schema ?? '', name: name ?? '' }])
  }

  private fitting({ columns, rows, notes = [] }: Omit<Findings, 'truncated'>): Findings {
    const { rows: most, rowBytes: bytes, textCharacters } = this.options.limits
    return { columns, notes, ...fitted(rows, { rows: most, bytes, textCharacters }) }
  }

  /** Of the publication that the whole catalog shows now. */
  private async facts(): Promise<PublicationFacts> {
    const { hasAccounts } = this.options
    return await this.whole.use(
      async (reader) =>
        await remembered(this.factsOf, reader, () =>
          readPublicationFacts(asking(reader), hasAccounts, this.effects),
        ),
    )
  }

  private async index(reader: Reader): Promise<CatalogIndex> {
    return await remembered(this.indexOf, reader, () => readCatalogIndex(asking(reader)))
  }

  private async publicationOf(reader: Reader): Promise<number> {
    return await remembered(this.idOf, reader, async () => {
      const { rows } = await reader.all(
        'SELECT coalesce(max(publication_id), 0)::INTEGER FROM ops.publication',
      )
      return Number(rows[0]?.[0])
    })
  }
}

/** Milliseconds from the interruption of a statement until it must have ended. */
const GRACE_MS = 3_000

/** Columns of a result, at most. */
const MOST_COLUMNS = 200

/** Things that `find` names. */
const FOUND = 25

/** What is read once per open catalog. A failure is not remembered. */
async function remembered<T>(
  known: WeakMap<Reader, Promise<T>>,
  reader: Reader,
  read: () => Promise<T>,
): Promise<T> {
  let value = known.get(reader)
  if (!value) {
    value = read()
    known.set(reader, value)
    value.catch(() => known.delete(reader))
  }
  return await value
}

function notesOf(
  { functions, columns }: StatementTree,
  {
    cut,
    isCut,
    rows,
    asked,
    most,
  }: { cut: string | null; isCut: boolean; rows: number; asked: number; most: number },
): string[] {
  const changing = [...functions, ...columns].find((name) => CHANGING.test(name))
  return [
    ...(cut === 'rows'
      ? [`only the first ${rows} rows are here: aggregate, or ask for up to ${most} with limit`]
      : []),
    ...(cut === 'bytes'
      ? [`only the first ${rows} rows are here, because they are long: name fewer columns, or aggregate`]
      : []),
    ...(isCut ? [`texts that end with "${CUT}" are longer than shown`] : []),
    ...(asked > most ? [`an answer has at most ${most} rows`] : []),
    ...(changing === undefined
      ? []
      : [`${changing} has another value at the next call: run again, this may answer otherwise`]),
  ]
}

function unsettled(): never {
  throw new UsageError('publications replaced the catalog while the call was answered', { hint: 'ask again' })
}
