/** What a request can change, as the audit trail names it. Tables, keys and what is never recorded: the triggers. */
export const AUDIT_KINDS = [
  'ORGANIZATION',
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
  'PAYMENT_METHOD',
  'SUBSCRIPTION',
  'INVOICE',
  'REFUND',
  'HOOK',
  'REDELIVERY',
  'ORDER',
  'TEST_CLOCK',
  'USER',
  'MEMBERSHIP',
  'INVITATION',
  'SECOND_FACTOR',
] as const

export type AuditKind = (typeof AUDIT_KINDS)[number]
