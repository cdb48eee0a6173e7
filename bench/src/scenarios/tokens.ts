import { signAssertion, tokenForm } from '../assertion.ts'
import type { Scenario } from '../world.ts'
import { repeat } from './repeat.ts'

/** Decisions 2: a `jti` is good once. Each is signed beforehand, so that only the service's work is measured. */
const ASSERTIONS = 5_000
/** As many as the threads of libuv keep busy. */
const SIGNED_AT_ONCE = 100

export const tokens: Scenario = {
  name: 'token by assertion',
  run: async world => {
    const { app } = world.seeded
    const forms: string[] = []
    while (forms.length < ASSERTIONS) {
      world.signal.throwIfAborted()
      const batch = Array.from({ length: SIGNED_AT_ONCE }, () => signAssertion(app, world.baseUrl))
      forms.push(...(await Promise.all(batch)).map(tokenForm))
    }
    const next = () => {
      const form = forms.pop()
      return form === undefined ? null : { method: 'POST' as const, path: '/token', form }
    }
    return [await repeat(world, tokens.name, next)]
  },
}
