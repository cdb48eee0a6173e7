/** What has begun and has not ended. */
export interface UnderWay {
  /** Counts it until it ends, however it does. */
  add<T>(work: Promise<T>): Promise<T>
  /** Resolves once nothing is under way. What begins meanwhile is waited for, too. */
  allEnded(): Promise<void>
}

/**
 * A count, and no set of promises: a set makes itself a new table each few hundred changes, and V8 leaves in the old one all that was in
 * it then, and from it a way to the next. Once one of these tables is old, all that passes through grows old with it, and is collected by the
 * slow collector instead of the quick one: where 300 are under way at a time, 114 MB of 400 that passed through, instead of 22.
 */
export function createUnderWay(): UnderWay {
  let many = 0
  let ended: PromiseWithResolvers<void> | undefined
  const end = () => {
    many--
    if (many > 0) return
    ended?.resolve()
    ended = undefined
  }
  return {
    add: work => {
      many++
      return work.finally(end)
    },
    allEnded: async () => {
      if (many === 0) return
      ended ??= Promise.withResolvers<void>()
      await ended.promise
    },
  }
}
