/** One side of an entry: `amount` (whole VND or whole shares) is added to `account`; negative amounts leave it. */
export interface Line {
  readonly account: string
  /** `VND`, or a symbol. */
  readonly unit: string
  readonly amount: number
}

export interface Entry {
  /** Epoch milliseconds. */
  readonly at: number
  readonly about: string
  readonly lines: readonly Line[]
}

/** Money. */
export const VND = 'VND'

/** A double-entry book: the lines of every entry add up to zero per unit. */
export interface Book {
  /** @throws RangeError when an entry does not balance, or an amount is not whole: a bug of the sandbox */
  post(at: number, about: string, lines: readonly Line[]): void
  /** From one account to another. */
  transfer(at: number, about: string, unit: string, from: string, to: string, amount: number): void
  balance(account: string, unit?: string): number
  /** Balances other than zero of the accounts below a folder (`0881234561/` or `0881234561/paying/`), oldest first. */
  below(folder: string): { account: string; unit: string; amount: number }[]
  entries(): readonly Entry[]
  /** Sum over all accounts per unit: always zero. */
  trialBalance(): Map<string, number>
}

type Units = Map<string, number>

/** The folders of an account's name: `a/` and `a/b/` of `a/b/1`. */
function foldersOf(account: string): string[] {
  const folders: string[] = []
  for (let end = account.indexOf('/'); end >= 0; end = account.indexOf('/', end + 1))
    folders.push(account.slice(0, end + 1))
  return folders
}

export function createBook(): Book {
  const balances = new Map<string, Units>()
  const folders = new Map<string, Map<string, Units>>()
  const unitsOf = (account: string): Units => {
    let units = balances.get(account)
    if (units) return units
    units = new Map()
    balances.set(account, units)
    for (const folder of foldersOf(account)) {
      const accounts = folders.get(folder) ?? new Map<string, Units>()
      folders.set(folder, accounts.set(account, units))
    }
    return units
  }
  const entries: Entry[] = []
  const post: Book['post'] = (at, about, allLines) => {
    const lines = allLines.filter((line) => line.amount !== 0)
    const sums = new Map<string, number>()
    for (const { unit, amount } of lines) {
      if (!Number.isSafeInteger(amount))
        throw new RangeError(`${about}: ${amount} ${unit} is not a whole number`)
      sums.set(unit, (sums.get(unit) ?? 0) + amount)
    }
    for (const [unit, sum] of sums)
      if (sum !== 0) throw new RangeError(`${about}: ${sum} ${unit} does not balance`)
    for (const { account, unit, amount } of lines) {
      const units = unitsOf(account)
      units.set(unit, (units.get(unit) ?? 0) + amount)
    }
    if (lines.length > 0) entries.push({ at, about, lines })
  }
  return {
    post,
    transfer: (at, about, unit, from, to, amount) =>
      post(at, about, [
        { account: from, unit, amount: -amount },
        { account: to, unit, amount },
      ]),
    balance: (account, unit = VND) => balances.get(account)?.get(unit) ?? 0,
    below(folder) {
      const rows: ReturnType<Book['below']> = []
      for (const [account, units] of folders.get(folder) ?? [])
        for (const [unit, amount] of units) if (amount !== 0) rows.push({ account, unit, amount })
      return rows
    },
    entries: () => entries,
    trialBalance() {
      const sums = new Map<string, number>()
      for (const units of balances.values())
        for (const [unit, amount] of units) sums.set(unit, (sums.get(unit) ?? 0) + amount)
      return sums
    },
  }
}
