/** What may never reach an error, a log or a report: key, secret, OTP, tokens. */
export interface Secrets {
  add(value: string | undefined): void
  scrub(text: string): string
}

/** Shorter values would blank out ordinary words and digits; no credential of the API is that short. */
const SHORTEST = 4

/**
 * Replaces every secret, also percent-encoded, JSON-escaped or in base64. By value, since a list of paths
 * misses the service's own words ("tokens printed in logs", field notes §1).
 */
export function scrub(text: string, secrets: Iterable<string>): string {
  let clean = text
  // Longest first: a secret inside another one must not leave the rest of it standing.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length < SHORTEST) continue
    const escaped = JSON.stringify(secret).slice(1, -1)
    const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
    for (const form of [secret, escaped, encodeURIComponent(secret), base64])
      clean = clean.replaceAll(form, '[secret]')
  }
  return clean
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
