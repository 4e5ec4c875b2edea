import type { OwnFile } from './own-files.js'

/** Files in an order in which each comes after those that it reads, and those for which there is none. */
export interface Ordered {
  readonly placed: readonly OwnFile[]
  /** A file that reads itself by way of others, with the names on the way: `a, b, a`. */
  readonly cycles: ReadonlyMap<OwnFile, readonly string[]>
}

export function inOrder(files: readonly OwnFile[]): Ordered {
  const byName = new Map(files.map((file) => [file.name, file]))
  const placed = new Set<OwnFile>()
  const cycles = new Map<OwnFile, string[]>()
  const place = (file: OwnFile, readers: readonly OwnFile[]): void => {
    if (placed.has(file) || cycles.has(file)) return
    const begun = readers.indexOf(file)
    if (begun >= 0) {
      const cycle = readers.slice(begun)
      for (const [at, member] of cycle.entries())
        cycles.set(member, namesOf([...cycle.slice(at), ...cycle.slice(0, at), member]))
      return
    }
    for (const name of file.reads) {
      const read = byName.get(name)
      if (read) place(read, [...readers, file])
    }
    if (!cycles.has(file)) placed.add(file)
  }
  for (const file of files) place(file, [])
  return { placed: [...placed], cycles }
}

function namesOf(files: readonly OwnFile[]): string[] {
  return files.map(({ name }) => name)
}
