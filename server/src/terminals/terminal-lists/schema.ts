import { Type } from 'typebox'
import { MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import {
  AppUrn,
  DeviceUrn,
  deviceUrn,
  Link,
  listFields,
  Timestamp,
  timestamped,
  Uuid,
} from '../../platform/http/wire.ts'
import type { ListedTerminal } from './list.ts'

const DEVICE_STATUSES = ['NEW', 'ACTIVE', 'CLOSED'] as const

export const TerminalsQuery = Type.Object({
  organizationId: Type.Optional(Uuid),
  appId: Type.Optional(AppUrn),
  businessId: Type.Optional(Uuid),
  storeId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum(DEVICE_STATUSES)),
  merchantType: Type.Optional(Type.Enum(MERCHANT_TYPES)),
  ...listFields,
})

export const TerminalJson = Type.Object({
  deviceId: DeviceUrn,
  businessId: Uuid,
  businessName: Type.String(),
  merchantType: Type.Enum(MERCHANT_TYPES),
  storeId: Uuid,
  storeName: Type.String(),
  name: Type.String(),
  serialNumber: Type.String(),
  status: Type.Enum(DEVICE_STATUSES),
  lastSeenAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const TerminalListJson = Type.Object({ terminals: Type.Array(TerminalJson), links: Type.Array(Link) })

export function terminalToJson(terminal: ListedTerminal) {
  return { ...timestamped(terminal), deviceId: deviceUrn(terminal.deviceId) }
}
