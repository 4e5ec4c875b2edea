/** Keeps the most recently used answers of a pure function: the market is computed, never stored. */
export class Memo<K, V> {
  private readonly entries = new Map<K, V>()

  constructor(private readonly capacity: number) {}

  get(key: K, compute: () => V): V {
    const cached = this.entries.get(key)
    if (cached !== undefined) {
      this.entries.delete(key)
      this.entries.set(key, cached)
      return cached
    }
    const value = compute()
    this.entries.set(key, value)
    if (this.entries.size > this.capacity) {
      const oldest = this.entries.keys().next()
      if (!oldest.done) this.entries.delete(oldest.value)
    }
    return value
  }
}
