/** A JSON string, which stays unchanged, or a number, which becomes a string. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * JSON.parse with numbers as their source text: `1234.0` stays `1234.0`, 20 digits stay 20 digits (as doubles
 * they would be rounded).
 */
export function parseKeepingNumbers(text: string): unknown {
  return JSON.parse(
    text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  ) as unknown
}
