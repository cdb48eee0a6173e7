/** More would only make the statements smaller: one is being answered while the next is on its way. */
const STATEMENTS_AT_ONCE = 2

/**
 * Single things, read or done, many by one statement: those that are asked for in one turn of the event loop, and while two
 * statements are under way, go together by the next. A lone one waits for nobody. Each is read after it was asked for.
 * Things of one key are one thing; of rows the key is their id.
 */
export function gather<Row, Thing = string>(
  doAll: (things: readonly Thing[]) => Promise<ReadonlyMap<string, Row>>,
  keyOf: (thing: Thing) => string = String,
  statementsAtOnce = STATEMENTS_AT_ONCE,
): (thing: Thing) => Promise<Row | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Row | undefined> & { thing: Thing }>()
  let underWay = 0

  const send = async () => {
    const asked = waiting
    waiting = new Map()
    try {
      const rows = await doAll([...asked.values()].map(({ thing }) => thing))
      for (const [key, { resolve }] of asked) resolve(rows.get(key))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
    underWay--
    sendSoon()
  }
  const sendSoon = () => {
    if (waiting.size === 0 || underWay === statementsAtOnce) return
    underWay++
    setImmediate(send)
  }

  return thing => {
    const key = keyOf(thing)
    const known = waiting.get(key)
    if (known) return known.promise
    const asked = { ...Promise.withResolvers<Row | undefined>(), thing }
    waiting.set(key, asked)
    if (waiting.size === 1) sendSoon()
    return asked.promise
  }
}
