/** More would only make the statements smaller: one is being answered while the next is on its way. */
const STATEMENTS_AT_ONCE = 2

/**
 * Single rows by their ids, many by one statement: those that are asked for in one turn of the event loop, and while two
 * statements are under way, go together by the next. A lone one waits for nobody. Each is read after it was asked for.
 */
export function gather<Row>(
  readAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): (id: string) => Promise<Row | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Row | undefined>>()
  let underWay = 0

  const send = async () => {
    const asked = waiting
    waiting = new Map()
    try {
      const rows = await readAll([...asked.keys()])
      for (const [id, { resolve }] of asked) resolve(rows.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
    underWay--
    sendSoon()
  }
  const sendSoon = () => {
    if (waiting.size === 0 || underWay === STATEMENTS_AT_ONCE) return
    underWay++
    setImmediate(send)
  }

  return id => {
    const known = waiting.get(id)
    if (known) return known.promise
    const asked = Promise.withResolvers<Row | undefined>()
    waiting.set(id, asked)
    if (waiting.size === 1) sendSoon()
    return asked.promise
  }
}
