import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { MarketHistory } from './market-history.js'

export type BarLength = '1d' | '1m'

/** Writes what one engine loads into a folder that is empty. */
export interface EngineWriter {
  /** What the engine's format can hold. */
  readonly timeframes: readonly BarLength[]
  /**
   * @param onSymbol is called behind each symbol, and throws where the export is to stop
   * @returns what was skipped, in words, with the symbols that it befell
   */
  write(
    history: MarketHistory,
    folder: string,
    timeframe: BarLength,
    onSymbol: () => void,
  ): Promise<Skipped[]>
}

export interface Skipped {
  why: string
  symbols: string[]
}

/** Engines take what follows a dot for the ending of a file, or for a venue. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

/**
 * Names of files for symbols: engines find the bars of a symbol by its name. A symbol that cannot name a file, or differs only by
 * its case from a former one, has none.
 */
export class FileNames {
  private readonly taken = new Map<string, string>()
  private readonly refused = new Set<string>()

  /**
   * Undefined where there is none.
   *
   * @param owner in words: an index may have the code of a stock
   */
  of(symbol: string, owner = symbol): string | undefined {
    const name = symbol.toLowerCase()
    const taken = this.taken.get(name) ?? owner
    if (!PLAIN_NAME.test(symbol) || taken !== owner) {
      this.refused.add(owner)
      return undefined
    }
    this.taken.set(name, owner)
    return name
  }

  skipped(): Skipped[] {
    if (this.refused.size === 0) return []
    const symbols = [...this.refused].sort()
    return [{ why: 'a file cannot have its name, or has it for another symbol already', symbols }]
  }
}

/** Writes a file of lines, and its folder where there is none. */
export async function writeTextLines(file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, lines.map((line) => `${line}\n`).join(''))
}
