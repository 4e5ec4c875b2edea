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
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length < SHORTEST) continue
    const escaped = JSON.stringify(secret).slice(1, -1)
    const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
    for (const form of [secret, escaped, encodeURIComponent(secret), base64])
      clean = clean.replaceAll(form, '[secret]')
  }
  return withoutPieces(clean, [...secrets])
}

/** Messages are cut to a length and tokens are longer: a remaining part of a token is removed too. */
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
