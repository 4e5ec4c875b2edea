import { existsSync, readFileSync } from 'node:fs'
import type { Effects } from '../effects.js'
import { writeWholeFile } from '../home/files.js'
import { watchlistFile } from '../home/user-files.js'
import { Refusal } from './response.js'

/** More than a person watches; all of them are one request. */
const MOST = 200

/**
 * The symbols that the user watches: a file of the user's, as the saved statements are. The browser's storage belongs to a port, which
 * changes with each start, and a home may have several users.
 */
export class UserWatchlist {
  private readonly file: string

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    private readonly effects: Effects,
  ) {
    this.file = watchlistFile(environment)
  }

  read(): string[] {
    if (!existsSync(this.file)) return []
    return symbolsOf(readFileSync(this.file, 'utf8').split('\n'))
  }

  /** @throws Refusal for what is not a list of symbols · StorageError where the disk refuses */
  async write(symbols: unknown): Promise<string[]> {
    if (!Array.isArray(symbols) || symbols.some((symbol) => typeof symbol !== 'string'))
      throw new Refusal(400, 'symbols is not a list of texts', 'send {"symbols": ["FPT", "VNINDEX"]}')
    const kept = symbolsOf(symbols)
    if (kept.length > MOST) throw new Refusal(400, `a watchlist has at most ${MOST} symbols`)
    const options = { mode: 0o600, folderMode: 0o700, hint: 'check XDG_DATA_HOME' }
    await writeWholeFile(this.file, kept.map((symbol) => `${symbol}\n`).join(''), options, this.effects.disk)
    return kept
  }
}

/** Each symbol once; what cannot stand in a line or in a list with commas is not a symbol. */
function symbolsOf(texts: readonly string[]): string[] {
  const symbols = texts.map((text) => text.trim()).filter((text) => /^[^\s,]{1,40}$/.test(text))
  return [...new Set(symbols)]
}
