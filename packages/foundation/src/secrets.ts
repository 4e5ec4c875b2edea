/** Values that must never appear in an error, a log or a report: key, secret, OTP, tokens. */
export interface Secrets {
  add(value: string | undefined): void
  scrub(text: string): string
}

/** Shorter values would also match ordinary words and digits; no credential of the API is that short. */
const SHORTEST = 4

/** A piece of a token with this many characters is never an ordinary word. */
const PIECE = 16
const RUN = new RegExp(`[A-Za-z0-9+/=_.-]{${PIECE},}`, 'g')

/**
 * Replaces every secret, also percent-encoded, JSON-escaped or in base64. By value, since a list of paths
 * misses the service's own words ("tokens printed in logs", docs/market-facts.md#faults-of-other-clients).
 */
export function scrub(text: string, secrets: Iterable<string>): string {
  let clean = text
  // Longest first: a secret inside another one must not leave the rest of it in the text.
  const all = [...secrets].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
  const forms = all.flatMap(formsOf)
  for (const form of forms) clean = clean.replaceAll(form, '[secret]')
  return withoutPieces(withoutCutEnds(clean, forms), all)
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  return [secret, escaped, encodeURIComponent(secret), base64]
}

/** A message that was cut to a length ends with an ellipsis: what stands before it may be the beginning of a secret. */
function withoutCutEnds(text: string, forms: readonly string[]): string {
  const parts = text.split('…')
  const cut = parts.slice(0, -1).map((part) => {
    const longest = Math.max(0, ...forms.map((form) => beginningAtEnd(part, form)))
    return longest === 0 ? part : `${part.slice(0, -longest)}[secret]`
  })
  return [...cut, parts.at(-1)].join('…')
}

/** Length of the longest beginning of a secret with which a text ends; 0 if there is none of `SHORTEST`. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= SHORTEST; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

/** Tokens are long: what remains of one between other words is removed too. */
function withoutPieces(text: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length > PIECE)
  if (long.length === 0) return text
  return text.replace(RUN, (run) => (long.some((secret) => secret.includes(run)) ? '[secret]' : run))
}

export function createSecrets(): Secrets {
  const known = new Set<string>()
  return {
    add(value) {
      if (value) known.add(value)
    },
    scrub: (text) => scrub(text, known),
  }
}
