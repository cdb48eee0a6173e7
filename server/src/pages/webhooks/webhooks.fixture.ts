import type { TestContext } from 'node:test'
import { v7 } from 'uuid'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { openListener } from '../../../test/support/webhooks.ts'
import type { World } from '../../../test/support/world.ts'
import type { DeveloperRole } from '../../core/roles.ts'
import { recordNotifications } from '../../webhooks/notifications/record.ts'
import { type Visitor, visiting } from '../merchant/merchant.fixture.ts'

const EVENTS = ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_END', 'ORDER_OPENED']

/** An organization with an app, a hook and a listener. */
export async function openStudio(t: TestContext, world: World) {
  const { organizationId, appId } = await world.developer()
  const uuid = appId.replace('urn:aid:', '')
  const { businessId } = await world.merchant({ card: 'none' })
  const listener = await openListener(t)
  const hook = (more: object = {}): Promise<string> =>
    world
      .call('POST', '/hooks', {
        ...{ applicationId: appId, deliveryUrl: listener.url, secret: 'a secret word', eventTypes: EVENTS },
        ...more,
      })
      .then(({ id }) => id)
  const hookId = await hook()
  return {
    ...{ organizationId, appId, uuid, businessId, listener, hook, hookId },
    path: `/webhooks/${hookId}`,
    developer: async (role: DeveloperRole = 'ADMIN'): Promise<Visitor> => {
      const person = await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
      return { person, ...visiting(world, person.token) }
    },
    /** Records events of different subscriptions, and delivers what is due. */
    notify: async (times = 1, isSent = true): Promise<void> => {
      const of = { eventType: 'APPLICATION_SUBSCRIPTION_START', merchantType: 'MERCHANT', appId: uuid } as const
      const events = Array.from({ length: times }, () => ({
        ...{ ...of, businessId, resourceId: v7(), resourceSeq: 1, occurredAt: world.clock.now() },
      }))
      await world.app.ports.db.transaction(tx => recordNotifications(tx, world.app.ports, events))
      if (isSent) await send(world)
    },
    /** The hook's history, newest first. */
    history: async () => (await world.call('GET', `/apps/${appId}/deliveries?hookId=${hookId}&limit=100`)).deliveries,
    pathOf: (notificationId: string) => `/webhooks/${hookId}/notifications/${notificationId}`,
  }
}

/** All that is due. */
export async function send({ app }: Pick<World, 'app'>): Promise<void> {
  for (let run = 0; run < 50; run++) if ((await app.sender.runOnce()) === 0) return
  throw new Error('there is no end of what is due')
}

export async function operator(world: World, role: 'ADMIN' | 'VIEWER' = 'ADMIN'): Promise<Visitor> {
  const person = await newPerson(world, { kind: 'OPERATOR' }, role)
  await proveSecondFactor(world, person)
  return { person, ...visiting(world, person.token) }
}
