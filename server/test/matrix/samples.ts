import { randomUUID } from 'node:crypto'
import { MONTH_PATTERN } from '../../src/core/statement.ts'
import { newKeyPair, spkiOf } from '../support/key-pairs.ts'
import { PASSWORD } from '../support/people.ts'

/** A JSON schema as TypeBox writes it: the parts that our routes use. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

export type Ids = Readonly<Record<string, string>>

const DAY = '^\\d{4}-\\d{2}-\\d{2}$'

let publicKey: string | undefined

/** Valid values by field name that a schema cannot describe. New values each time where they must differ. */
const MEANT: Readonly<Record<string, () => unknown>> = {
  email: () => 'dev@example.com',
  signerSha256: () => '0'.repeat(64),
  // The tenant's app declares none.
  permissions: () => [],
  emailAddress: () => 'shop@example.com',
  billingEmail: () => 'money@example.com',
  taxId: () => '12-3456789',
  country: () => 'US',
  countryCode: () => 'US',
  currency: () => 'USD',
  timezone: () => 'Europe/Berlin',
  packageName: () => `com.example.m${randomUUID().replaceAll('-', '')}`,
  callbackUrls: () => ['https://example.com/back'],
  publicKey: () => (publicKey ??= spkiOf(newKeyPair().publicKey)),
  deliveryUrl: () => `http://127.0.0.1:9/${randomUUID()}`,
  eventTypes: () => ['ORDER_OPENED'],
  token: () => 'tok_ok',
  password: () => PASSWORD,
  newPassword: () => PASSWORD,
  totp: () => '123456',
  accent: () => '#17604a',
  supportUrl: () => 'https://example.com/support',
  termsUrl: () => 'https://example.com/terms',
  privacyUrl: () => 'https://example.com/privacy',
  imprintUrl: () => 'https://example.com/imprint',
  // Every kind of workspace has this role.
  role: () => 'VIEWER',
  // The operator sets the status of a person; another sample would disable the person.
  status: () => 'ACTIVE',
  httpStatus: () => '4xx',
  // Only of such may an organization be the owner.
  type: () => 'TEST_MERCHANT',
  now: () => '2026-01-01T00:00:00Z',
  to: () => '2026-01-01T00:00:00Z',
  start: () => '0',
  count: () => '10',
  limit: () => '10',
  days: () => '30',
  amount: () => 1,
  // A price that a card can pay.
  value: () => 500,
  month: () => '2026-01',
  year: () => '2026',
  validFrom: () => '2026-01-01',
  rate: () => '19',
  part: () => '1',
  from: () => '2025-12-31T00:00:00Z',
  startAt: () => '2026-01-01T00:00:00Z',
  since: () => '2026-01-01T00:00:00Z',
  endAt: () => '2027-01-01T00:00:00Z',
}

/** Fields that exclude each other: a sample contains one of them. */
const APART: Readonly<Record<string, readonly string[]>> = {
  when: ['storeId', 'deviceId'],
  replace: ['replace', 'restore', 'subscriptionId'],
  kind: ['organizationId'],
}

/** A value for the schema with every optional field, except fields that name missing resources. */
export function sampleOf(schema: Schema, ids: Ids, name = ''): unknown {
  if (schema.properties) {
    const apart = new Set(Object.keys(schema.properties).flatMap(field => APART[field] ?? []))
    const fields = Object.entries(schema.properties).filter(
      ([field]) => !(field === 'after' && !(field in ids)) && !apart.has(field),
    )
    return Object.fromEntries(fields.map(([field, of]) => [field, sampleOf(of, ids, field)]))
  }
  const meant = ids[name] ?? MEANT[name]?.()
  if (meant !== undefined && (schema.enum === undefined || schema.enum.includes(String(meant)))) {
    return formOf(meant, schema)
  }
  if (schema.enum) return schema.enum[0]
  if (schema.items) return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items as Schema, ids))
  if (schema.anyOf) return sampleOf(schema.anyOf[0] as Schema, ids)
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return schema.type === 'object' ? {} : 'text'
}

/** The value as the schema has it: a count is a number in a body and text in a query, and some periods are of whole days or months. */
function formOf(value: unknown, { type, pattern }: Schema): unknown {
  if (type === 'integer') return Number(value)
  if (pattern === MONTH_PATTERN) return String(value).slice(0, 'YYYY-MM'.length)
  return pattern === DAY ? String(value).slice(0, 'YYYY-MM-DD'.length) : value
}

/** The sample of an object as a record of fields. */
export function fieldsOf(schema: unknown, ids: Ids): Record<string, unknown> {
  return schema === undefined ? {} : (sampleOf(schema as Schema, ids) as Record<string, unknown>)
}
