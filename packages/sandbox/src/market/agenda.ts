/** Future actions in the order of the service's own time. It never reads the host's clock. */
export interface Agenda {
  /** The current instant, epoch milliseconds. */
  now(): number
  /**
   * Enters an action for an instant; actions of one instant happen in the order they were entered, those that are `first` before
   * all others. One that is entered for the past happens at the next advance, at the instant reached by then.
   *
   * @returns a function that removes the action
   */
  at(instant: number, action: () => void, order?: 'first'): () => void
  /** Runs all actions up to and including an instant. An earlier instant changes nothing. */
  advanceTo(instant: number): void
}

interface Entry {
  instant: number
  first: boolean
  number: number
  action: (() => void) | undefined
}

export function createAgenda(begins: number): Agenda {
  const heap: Entry[] = []
  let reached = begins
  let entered = 0
  return {
    now: () => reached,
    at(instant, action, order) {
      const entry: Entry = { instant, first: order === 'first', number: entered++, action }
      push(heap, entry)
      return () => {
        entry.action = undefined
      }
    },
    advanceTo(instant) {
      for (let next = heap[0]; next && next.instant <= instant; next = heap[0]) {
        pop(heap)
        if (!next.action) continue
        reached = Math.max(reached, next.instant)
        next.action()
      }
      reached = Math.max(reached, instant)
    },
  }
}

function before(a: Entry, b: Entry): boolean {
  if (a.instant !== b.instant) return a.instant < b.instant
  return a.first === b.first ? a.number < b.number : a.first
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.push(entry) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as Entry
    if (!before(entry, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = entry
}

function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    const right = heap[child + 1]
    if (right && before(right, heap[child] as Entry)) child++
    const below = heap[child]
    if (!below || !before(below, last)) break
    heap[at] = below
    at = child
  }
  heap[at] = last
}
