import { Type } from 'typebox'
import type { Device } from '../../core/business-record.ts'
import { SUBSCRIPTION_STATUSES } from '../../core/subscription.ts'
import { DeviceUrn, deviceUrn, PageCount, PageStart, Text, Timestamp, Uuid } from '../../platform/http/wire.ts'

export const ActivationBody = Type.Object({
  // A code has 16 characters; spaces and hyphens do not count.
  activationCode: Text(64),
  publicKey: Type.Union([Text(16_384), Type.Object({})], {
    description: 'RSA public key of 2048 bits or more: PEM (PKCS#1 or SPKI) or JWK',
  }),
})

export const ActivationAnswer = Type.Object({
  deviceId: DeviceUrn,
  businessId: Uuid,
  storeId: Uuid,
  name: Type.String(),
  kid: Type.String({ description: 'The id of the key, for the header of assertions' }),
})

export function activationToJson({ device, kid }: { readonly device: Device; readonly kid: string }) {
  const { deviceId, businessId, storeId, name } = device
  return { deviceId: deviceUrn(deviceId), businessId, storeId, name, kid }
}

export const PurchasePath = Type.Object({ purchaseId: Uuid })

export const SubscriptionsQuery = Type.Object({
  status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATUSES, 'ALL'])),
  start: Type.Optional(PageStart),
  count: Type.Optional(PageCount),
  after: Type.Optional(Uuid),
})

/** Decisions 9, Purchase extras. */
export const PurchaseBody = Type.Object({
  planId: Type.Optional(Uuid),
  replace: Type.Optional(Type.Boolean()),
  restore: Type.Optional(Type.Boolean()),
  subscriptionId: Type.Optional(Uuid),
})

/** As the interface's token response, without a refresh token. */
export const UserTokenAnswer = Type.Object({
  accessToken: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  scope: Type.Literal('ALL'),
  tokenType: Type.Literal('BEARER'),
})

export const SignedSubscriptionsAnswer = Type.Object({
  jws: Type.String({
    description:
      'Compact JWS, RS256, typ subscriptions+jwt, by a key of /.well-known/jwks.json. Claims: iss, sub (package name), aud (device), iat, exp, subscriptions (page envelope)',
  }),
  expiresAt: Timestamp,
})
