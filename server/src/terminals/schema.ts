import { Type } from 'typebox'
import type { Device } from '../core/business-record.ts'
import { DeviceUrn, deviceUrn, Text, Uuid } from '../http/wire.ts'

export const ActivationBody = Type.Object({
  // A code is 16 letters; spaces and hyphens do not count.
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
  kid: Type.String({ description: 'Of the key, for the header of assertions' }),
})

export function activationToJson({ device, kid }: { readonly device: Device; readonly kid: string }) {
  const { deviceId, businessId, storeId, name } = device
  return { deviceId: deviceUrn(deviceId), businessId, storeId, name, kid }
}
