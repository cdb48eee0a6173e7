interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** All of a list, newest first, by a call for each page: each has its own time and its own end, unlike the pages that the SDK turns by itself. */
export async function* everyOf<T extends { readonly id: string }>(
  askFor: (after: { starting_after?: string }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  for (let after = {}; ; ) {
    const { data, has_more: hasMore } = await askFor(after)
    yield* data
    const last = data.at(-1)
    if (!hasMore || last === undefined) return
    after = { starting_after: last.id }
  }
}
