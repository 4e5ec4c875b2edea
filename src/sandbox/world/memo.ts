/** Keeps the most recently used answers of a pure function: the market is computed, never stored. */
export class Memo<K, V> {
  private readonly held = new Map<K, V>()

  constructor(private readonly capacity: number) {}

  get(key: K, compute: () => V): V {
    const found = this.held.get(key)
    if (found !== undefined) {
      this.held.delete(key)
      this.held.set(key, found)
      return found
    }
    const value = compute()
    this.held.set(key, value)
    if (this.held.size > this.capacity) {
      const oldest = this.held.keys().next()
      if (!oldest.done) this.held.delete(oldest.value)
    }
    return value
  }
}
