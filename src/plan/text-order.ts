/** Order of two texts by their UTF-16 code units, for `sort`: the same in every locale. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
