import type { Row } from '../api.js'

const MOST = 12

/** The letters and digits of a code: `VN-Index` is searched as `vnindex` too. */
const plain = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The symbol of that name, then those that begin with the text, then those whose symbol or name has it. */
export function matchingSymbols(symbols: readonly Row[], text: string): Row[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return symbols.slice(0, MOST)
  const code = plain(wanted)
  const rank = ({ symbol, name, name_vi }: Row): number => {
    if (String(symbol).toLowerCase() === wanted) return 0
    const known = plain(symbol)
    if (code !== '' && known === code) return 1
    if (code !== '' && known.startsWith(code)) return 2
    return `${symbol} ${name} ${name_vi}`.toLowerCase().includes(wanted) ? 3 : 4
  }
  const ranked = symbols.map((row) => ({ row, rank: rank(row) })).filter((each) => each.rank < 4)
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ row }) => row)
}

/** The symbol that Enter takes: the active match, else the text; a code is written in capitals. */
export function pickedSymbol(match: Row | undefined, text: string): string {
  const typed = text.trim()
  if (match && typed !== '') return String(match.symbol)
  return /^[a-z0-9]+$/.test(typed) ? typed.toUpperCase() : typed
}
