import { isRefusal } from '../core/refusal.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import type { Ports } from '../ports.ts'
import type { TokenMemory } from '../tokens/token-memory.ts'
import { activate } from './activate.ts'
import { ActivationAnswer, ActivationBody, activationToJson } from './schema.ts'

export function terminalRoutes(ports: Ports & TokenMemory): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/devices/activate',
      name: 'activateDevice',
      operation: 'public',
      summary: 'Activate a terminal: its code for a key of its own',
      body: ActivationBody,
      answers: { 201: ActivationAnswer },
      refusals: ['ACTIVATION_CODE_INVALID'],
      async handle({ body: { activationCode, publicKey }, db }) {
        const activated = await activate({ ...ports, db }, { activationCode, publicKey })
        return isRefusal(activated) ? activated : answer(201, activationToJson(activated))
      },
    }),
  ]
}
