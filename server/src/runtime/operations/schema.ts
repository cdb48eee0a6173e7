import { Type } from 'typebox'

export const HealthJson = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  version: Type.String(),
  database: Type.Enum(['up', 'down']),
  waiting: Type.Optional(
    Type.Object({
      deliveriesDue: Type.Optional(Type.Integer()),
      oldestDeliverySeconds: Type.Optional(Type.Number()),
      chargesUnsettled: Type.Integer(),
      chargesUnknown: Type.Integer(),
      refundsUnsettled: Type.Integer(),
      subscriptionsDue: Type.Integer(),
      quarantined: Type.Integer(),
    }),
  ),
})

export const ReadyJson = Type.Object({ status: Type.Enum(['ready', 'database_down']) })
