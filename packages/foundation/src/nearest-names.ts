/** Names shown beside an unknown one. */
const SHOWN = 3

/** Edits between a typing mistake and the name that was meant. */
const MOST_EDITS = 2

/**
 * Known names with the fewest edits from this one, the nearest first. A name that differs in upper and lower case only is
 * the one that was meant.
 */
export function nearestNames(typed: string, known: readonly string[]): string[] {
  const names = known.map((name) => ({ name, edits: editsBetween(typed.toUpperCase(), name.toUpperCase()) }))
  const sameLetters = names.filter(({ edits }) => edits === 0)
  return (sameLetters.length > 0 ? sameLetters : names)
    .filter(({ name, edits }) => edits <= MOST_EDITS && edits < name.length)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name)
}

/** Insertions, deletions, replacements, and neighbours swapped (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1
  let beforeFormer: number[] = []
  let former = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (former[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (beforeFormer[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min(replaced, swapped, (former[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    beforeFormer = former
    former = row
  }
  return former[b.length] ?? 0
}
