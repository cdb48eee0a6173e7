import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { Instant, Link, ListLimit, Text, Timestamp, Uuid } from '../http/wire.ts'
import type { AuditEntry } from './store.ts'

/** What a request can change, as the audit trail names it. Tables, keys and what is never recorded: the triggers. */
export const AUDIT_KINDS = [
  'ORGANIZATION',
  'SELLER',
  'APP',
  'APP_KEY',
  'SIGNING_KEY',
  'RELEASE',
  'PLAN',
  'BUSINESS',
  'STORE',
  'DEVICE',
  'DEVICE_KEY',
  'BUSINESS_USER',
  'APPROVAL',
  'INSTALLED_APP',
  'APP_PERMISSIONS',
  'PAYMENT_METHOD',
  'SUBSCRIPTION',
  'INVOICE',
  'REFUND',
  'HOOK',
  'REDELIVERY',
  'ORDER',
  'PURCHASE',
  'TEST_CLOCK',
  'USER',
  'MEMBERSHIP',
  'INVITATION',
  'SECOND_FACTOR',
] as const

export type AuditKind = (typeof AUDIT_KINDS)[number]

/** A row as it is stored: the names of its columns, and null where it has nothing. */
const StoredRow = Type.Record(Type.String(), Type.Unknown())

const EntryJson = Type.Object({
  entryId: Type.Integer(),
  at: Timestamp,
  principal: Type.String(),
  principalKind: Type.String(),
  operation: Type.String(),
  method: Type.String(),
  path: Type.String(),
  requestId: Type.String(),
  kind: Type.Enum([...AUDIT_KINDS]),
  resourceId: Type.String(),
  businessId: Type.Optional(Uuid),
  organizationId: Type.Optional(Uuid),
  /** Absent when it was made. */
  before: Type.Optional(StoredRow),
  /** Absent when it was deleted. */
  after: Type.Optional(StoredRow),
})

export const AuditListJson = Type.Object({ entries: Type.Array(EntryJson), links: Type.Array(Link) })

export const AuditQuery = Type.Object({
  kind: Type.Optional(Type.Enum([...AUDIT_KINDS])),
  resourceId: Type.Optional(Text(255)),
  principal: Type.Optional(Text(255)),
  startAt: Type.Optional(Instant),
  endAt: Type.Optional(Instant),
  limit: Type.Optional(ListLimit),
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'entryId' })),
})

export function entryToJson({ at, ...entry }: AuditEntry) {
  return { ...entry, at: toTimestamp(at) }
}
