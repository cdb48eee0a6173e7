import type { ApiRequest } from '../api.ts'
import type { Scenario, World } from '../world.ts'
import { repeat } from './repeat.ts'

export const PAGE = 50

export const readOne: Scenario = {
  name: 'GET one subscription',
  run: async world => {
    const { app, subscriptionIds } = world.seeded
    const paths = subscriptionIds.map(id => `/apps/${app.appId}/subscriptions/${id}`)
    return [await repeat(world, readOne.name, { next: inTurn(world, paths) })]
  },
}

export const readPage: Scenario = {
  name: `GET a page of ${PAGE}`,
  run: async world => {
    const { app, subscriptionIds } = world.seeded
    const paths = startsOf(subscriptionIds.length).map(
      start => `/apps/${app.appId}/subscriptions?count=${PAGE}&start=${start}`,
    )
    return [await repeat(world, readPage.name, { next: inTurn(world, paths) })]
  },
}

/** The offsets of all pages. */
export const startsOf = (total: number) => Array.from({ length: Math.floor(total / PAGE) }, (_, index) => index * PAGE)

/** Requests every subscription equally often. */
function inTurn({ seeded: { accessToken } }: World, paths: readonly string[]): () => ApiRequest {
  let turn = 0
  return () => ({ method: 'GET', path: paths[turn++ % paths.length] ?? '/', bearer: accessToken })
}
