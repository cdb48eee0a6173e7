import { signAssertion, tokenForm } from '../assertion.ts'
import type { Row } from '../row.ts'
import type { Scenario, World } from '../world.ts'
import { withBare } from './bare.ts'
import { repeat } from './repeat.ts'

/** Decisions 2: a `jti` is accepted once. Assertions are signed before the measurement. */
const ASSERTIONS = 10_000
/** Enough to keep the threads of libuv busy. */
const SIGNED_AT_ONCE = 100

export const tokens: Scenario = {
  name: 'token by assertion',
  run: world => exchange(world, tokens.name, world.baseUrl),
}

export const bareToken: Scenario = {
  name: 'bare: a token by assertion',
  run: world => withBare(world, bare => exchange(bare, bareToken.name, world.baseUrl)),
}

async function exchange(world: World, name: string, audience: string): Promise<Row[]> {
  const { app } = world.seeded
  const forms: string[] = []
  while (forms.length < ASSERTIONS) {
    world.signal.throwIfAborted()
    const batch = Array.from({ length: SIGNED_AT_ONCE }, () => signAssertion(app, audience))
    forms.push(...(await Promise.all(batch)).map(tokenForm))
  }
  const next = () => {
    const form = forms.pop()
    if (form === undefined) throw new Error('No unused assertion is left: sign more assertions.')
    return { method: 'POST' as const, path: '/token', form }
  }
  return [await repeat(world, name, { next, requests: ASSERTIONS })]
}
