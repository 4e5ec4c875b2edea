const reached = new Map<string, number>()

/** Something that is worth knowing of happened: a name, and how often. */
export function happened(situation: string): void {
  reached.set(situation, (reached.get(situation) ?? 0) + 1)
}

/** Every situation that was reached, most frequent first. */
export function situations(): (readonly [name: string, times: number])[] {
  return [...reached].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
