/** Whoever asks while a reading is under way is given that one: however many ask at once, the database reads for one of them. */
export function inOne<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
