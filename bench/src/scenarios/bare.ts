import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareMessage } from '../bare.ts'
import type { Row } from '../row.ts'
import type { Scenario, World } from '../world.ts'
import { PAGE, startsOf } from './reads.ts'
import { repeat } from './repeat.ts'

/** The minimum cost of the same work on this machine, for comparison with the service. */
export const bareOne: Scenario = {
  name: 'bare: one row by id',
  run: world =>
    withBare(world, bare => {
      const paths = world.seeded.subscriptionIds.map(id => `/subscriptions/${id}`)
      return repeatPaths(bare, bareOne.name, paths)
    }),
}

export const barePage: Scenario = {
  name: `bare: a page of ${PAGE}`,
  run: world =>
    withBare(world, bare => {
      const { app, subscriptionIds } = world.seeded
      const list = `/apps/${app.appId.slice('urn:aid:'.length)}/subscriptions?count=${PAGE}`
      const paths = startsOf(subscriptionIds.length).map(start => `${list}&start=${start}`)
      return repeatPaths(bare, barePage.name, paths)
    }),
}

async function repeatPaths(world: World, name: string, paths: readonly string[]): Promise<Row[]> {
  let turn = 0
  return [await repeat(world, name, { next: () => ({ method: 'GET', path: paths[turn++ % paths.length] ?? '/' }) })]
}

/** Replaces the service with the bare server. */
export async function withBare<T>(world: World, work: (bare: World) => Promise<T>): Promise<T> {
  const child = fork(fileURLToPath(new URL('../bare.ts', import.meta.url)), {
    env: { ...process.env, BARE_DATABASE_URL: world.databaseUrl },
    execArgv: [],
  })
  const ended = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => [])])
    if (message === undefined || child.pid === undefined) throw new Error('The bare server did not start.')
    const { url } = message as BareMessage
    return await work({ ...world, baseUrl: url, processes: { ...world.processes, service: child.pid } })
  } finally {
    child.kill()
    await ended
  }
}
