/**
 * What a deployment writes where the specification writes `Broker` and `Depository`
 * (docs/market-facts.md#field-suffixes).
 */
export interface Suffixes {
  readonly broker: string
  readonly depository: string
}

/**
 * Names as a deployment may write them, lower case → the specification's. Suffixes match in any case
 * (`doverdue_broker`), the specification's own names always match.
 */
export function spellings(fields: readonly string[], suffixes: Suffixes): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const field of fields) {
    const name = field.toLowerCase()
    for (const [ending, written] of [
      ['broker', suffixes.broker],
      ['depository', suffixes.depository],
    ] as const) {
      if (name.endsWith(ending)) names.set(name.slice(0, -ending.length) + written.toLowerCase(), field)
    }
  }
  for (const field of fields) names.set(field.toLowerCase(), field)
  return names
}
