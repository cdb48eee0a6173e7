import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { Instant, Link, ListLimit, Text, Timestamp, Uuid } from '../http/wire.ts'
import type { AuditEntry } from './store.ts'

/** The kinds of rows that the audit trail records. The triggers name the tables, the keys and the hidden columns. */
export const AUDIT_KINDS = [
  'BRAND',
  'ORGANIZATION',
  'ORGANIZATION_BOOKING',
  'PAYOUT_ACCOUNT',
  'PAYOUT_TRANSFER',
  'SELLER',
  'APP',
  'APP_KEY',
  'SIGNING_KEY',
  'RELEASE',
  'RELEASE_MESSAGE',
  'NOTE',
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
  'DISPUTE_EVIDENCE',
  'CHARGE',
  'REFUND',
  'HOOK',
  'REDELIVERY',
  'APP_ENDING',
  'CATCH_UP',
  'TAX_SETTINGS',
  'TAX_RATE',
  'ORDER',
  'PURCHASE',
  'TEST_CLOCK',
  'USER',
  'MEMBERSHIP',
  'VIEWING',
  'INVITATION',
  'SECOND_FACTOR',
] as const

export type AuditKind = (typeof AUDIT_KINDS)[number]

/** A stored row by column name; null for an empty column. */
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
  /** Absent for a created row. */
  before: Type.Optional(StoredRow),
  /** Absent for a deleted row. */
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
