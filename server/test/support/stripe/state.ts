import type { Params } from './form.ts'
import type { TaxLocation } from './tax.ts'

// biome-ignore lint/suspicious/noExplicitAny: Stripe's objects as JSON has them; the real SDK reads them.
export type Thing = Record<string, any>

/** The objects and events of the account. */
export interface State {
  readonly things: Map<string, Thing>
  readonly events: Thing[]
  readonly now: () => Date
  /** The places in which the account collects tax. */
  readonly taxLocations: TaxLocation[]
  /** A UUID. */
  readonly newId: () => string
}

/** An answer of the API that is an error. */
export class ApiError extends Error {
  readonly status: number
  readonly error: Thing

  constructor(status: number, error: Thing) {
    super(String(error.message))
    this.status = status
    this.error = error
  }
}

export function put(state: State, prefix: string, object: string, fields: Thing): Thing {
  const id = idOf(state, prefix)
  const thing = { id, object, created: seconds(state), livemode: false, metadata: {}, ...fields }
  state.things.set(id, thing)
  return thing
}

function idOf({ newId }: State, prefix: string): string {
  return `${prefix}_${newId().replaceAll('-', '')}`
}

export function seconds({ now }: State): number {
  return Math.floor(now().getTime() / 1000)
}

export function get(state: State, id: unknown, param = 'id'): Thing {
  const thing = state.things.get(String(id))
  if (thing) return thing
  throw new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such: ${id}` })
}

export function addEvent(state: State, type: string, object: Thing): void {
  const event = { id: idOf(state, 'evt'), object: 'event', type, created: seconds(state) }
  state.events.push({ ...event, data: { object: structuredClone(object) } })
}

/** Newest first, a page of them, as all of Stripe's lists. */
export function list(state: State, object: string, params: Params, fits: (thing: Thing) => boolean): Thing {
  const from = Number((params.created as Params | undefined)?.gte ?? 0)
  const all = [...state.things.values()]
    .filter(thing => thing.object === object && thing.created >= from && fits(thing))
    .reverse()
  const begin = all.findIndex(({ id }) => id === params.starting_after) + 1
  const data = all.slice(begin, begin + Number(params.limit ?? 10))
  return { object: 'list', data, has_more: begin + data.length < all.length }
}

export function invalid(code: string, message: string, more: Thing = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message, ...more })
}
