import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { boundedStatement } from '../../read/bounded-statement.js'
import { firstRows } from '../../read/first-rows.js'
import { runOn } from '../../read/user-statement.js'
import type { PageBlock } from './own-page.js'

/** What one block may take where pages are run without anybody who waits for it. */
export interface BlockBounds {
  readonly ms: number
  readonly rows: number
  readonly bytes: number
  readonly textCharacters: number
}

/** The first rows of a block, or why there are none. */
export type BlockRows =
  | {
      readonly columns: readonly ResultColumn[]
      readonly rows: readonly unknown[][]
      readonly isCut: boolean
    }
  | BlockFault

export interface BlockFault {
  readonly wrong: string
  /** Line of the page's file. */
  readonly line: number
  readonly hint: string | undefined
}

/** Never aborts: blocks end by their bounds. */
const NEVER = new AbortController().signal

/** Runs a block on a catalog that is open. Whatever it does, it ends within its bounds and throws nothing. */
export async function blockRows(
  reader: Reader,
  { sql, line }: PageBlock,
  bounds: BlockBounds,
  effects: Effects,
): Promise<BlockRows> {
  try {
    const bounded = boundedStatement(sql, await reader.describe(sql), bounds)
    const result = await firstRows((sink) => runOn(reader, bounded, sink, bounds, NEVER, effects), bounds)
    const rows = result.texts.map((text) => JSON.parse(text) as unknown[])
    return { columns: result.columns, rows, isCut: result.cut !== null }
  } catch (cause) {
    const { message, hint } = cause as { message: string; hint?: string }
    // DuckDB's own words: a sentence, then the line of the statement.
    const [, lineOfStatement = '1'] = /^LINE (\d+): /m.exec(message) ?? []
    const [words = ''] = message.split(/\n+LINE \d+: /)
    const wrong = words.trim().replaceAll(/\s*\n+\s*/g, ' ')
    return { wrong, line: line + Number(lineOfStatement) - 1, hint }
  }
}
