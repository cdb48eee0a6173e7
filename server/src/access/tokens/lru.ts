export type Lru<V> = ReturnType<typeof createLru<V>>

/** A map of bounded size that evicts the least recently read entry. */
export function createLru<V>(limit: number) {
  // A Map keeps the order of insertion: the first key is the one read longest ago.
  const entries = new Map<string, V>()
  return {
    get(key: string): V | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: V): void {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= limit) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    /** Drops every entry for which `isOver` returns true. */
    drop(isOver: (value: V) => boolean): void {
      for (const [key, value] of entries) if (isOver(value)) entries.delete(key)
    },
  }
}
