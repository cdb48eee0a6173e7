/**
 * A rejection: a well-formed request that the service does not carry out. A value, returned and not thrown. Source: decisions 1 (codes).
 * `http/problems.ts` maps each code to a status; a missing code does not compile.
 */
export interface Rejection {
  readonly rejected: RejectionCode
  /** For the developer of the caller: what to do. Never holds a secret. */
  readonly developerMessage: string
  readonly fields?: readonly FieldProblem[]
  /** RFC 6749 `error`, on token answers. */
  readonly oauthError?: string
  readonly retryAfterSeconds?: number
}

export interface FieldProblem {
  readonly path: string
  readonly problem: string
}

export const REJECTION_CODES = [
  'MISSING_PARAMETER',
  'INVALID_PARAMETER',
  'INVALID_REQUEST',
  'INVALID_URL_PATTERN',
  'INVALID_ACCESS_TOKEN',
  'INVALID_REFRESH_TOKEN',
  'INVALID_ASSERTION',
  'INVALID_AUTHORIZATION_CODE',
  'AUTHORIZATION_PENDING',
  'SLOW_DOWN',
  'EXPIRED_TOKEN',
  'ACCESS_DENIED',
  'INVALID_USER_SESSION',
  'INVALID_PASSCODE',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'READ_ONLY_VIEWING',
  'FORM_EXPIRED',
  'APPLICATION_NOT_FOUND',
  'ORGANIZATION_NOT_FOUND',
  'RELEASE_NOT_FOUND',
  'PLAN_NOT_FOUND',
  'SUBSCRIPTION_NOT_FOUND',
  'INVOICE_NOT_FOUND',
  'DISPUTE_NOT_FOUND',
  'BUSINESS_NOT_FOUND',
  'STORE_NOT_FOUND',
  'DEVICE_NOT_FOUND',
  'HOOK_NOT_FOUND',
  'DELIVERY_NOT_FOUND',
  'REDELIVERY_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'CHARGE_NOT_FOUND',
  'PAYMENT_METHOD_NOT_FOUND',
  'TEST_CLOCK_NOT_FOUND',
  'KEY_NOT_FOUND',
  'USER_NOT_FOUND',
  'PURCHASE_NOT_FOUND',
  'MEMBERSHIP_NOT_FOUND',
  'INVITATION_NOT_FOUND',
  'SESSION_NOT_FOUND',
  'PASSWORD_RESET_NOT_FOUND',
  'DEVICE_LOGIN_NOT_FOUND',
  'RESOURCE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_ID_DUPLICATE',
  'REQUEST_IN_PROGRESS',
  'ACTIVATION_CODE_INVALID',
  'STORE_IN_USE',
  'USER_ID_TAKEN',
  'PURCHASE_CLOSED',
  'TOO_MANY_PURCHASES',
  'APPLICATION_DISABLED',
  'ALREADY_SUBSCRIBED',
  'ALREADY_ENDED',
  'NOT_SCHEDULED_TO_CANCEL',
  'CANCEL_SCHEDULED',
  'SAME_PLAN',
  'PLAN_INCOMPATIBLE',
  'PAYMENT_DUE',
  'CHARGE_IN_PROGRESS',
  'PAYMENT_METHOD_REQUIRED',
  'PAYMENT_DECLINED',
  'PAYMENT_METHOD_DECLINED',
  'PAYMENT_METHOD_IN_USE',
  'INVOICE_NOT_OPEN',
  'GATEWAY_NOT_CONFIGURED',
  'GATEWAY_NOT_FOR_BUSINESS',
  'PLAN_NOT_SOLD_IN_COUNTRY',
  'PLAN_RETIRED',
  'APPLICATION_NOT_DISABLED',
  'ENDING_IN_PROGRESS',
  'NO_CATCH_UP',
  'PACKAGE_NAME_TAKEN',
  'RELEASE_ALREADY_DECIDED',
  'DRAFT_CHANGED',
  'VERSION_CODE_TOO_LOW',
  'SIGNER_CHANGED',
  'RELEASE_NOT_APPROVED',
  'APPLICATION_NOT_INSTALLED',
  'PERMISSIONS_NOT_APPROVED',
  'TOO_MANY_PLANS',
  'TOO_MANY_KEYS',
  'TOO_MANY_HOOKS',
  'HOOK_EXISTS',
  'HOOK_INACTIVE',
  'APPROVAL_REQUIRED',
  'APPROVAL_REVOKED',
  'TEST_SENT_ONCE',
  'TOO_MANY_REDELIVERIES',
  'INVOICE_NOT_PAID',
  'REFUND_EXCEEDS_PAID',
  'DISPUTE_DECIDED',
  'EVIDENCE_SENT',
  'EVIDENCE_PAST_DUE',
  'EVIDENCE_REJECTED',
  'PAYOUT_EXCEEDS_OWED',
  'REFERENCE_BOOKED',
  'TRANSFERS_NOT_CONFIGURED',
  'PAYOUT_ACCOUNT_NOT_READY',
  'ORDER_CLOSED',
  'ORDER_EXISTS',
  'NOT_A_TEST_MERCHANT',
  'TEST_CLOCK_EXISTS',
  'TEST_CLOCK_TOO_LATE',
  'TEST_CLOCK_ADVANCING',
  'ACCOUNT_EXISTS',
  'ALREADY_MEMBER',
  'LAST_ADMIN',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_REJECTED',
  'SECOND_FACTOR_EXISTS',
  'SECOND_FACTOR_MISSING',
  'QUOTA_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const

export type RejectionCode = (typeof REJECTION_CODES)[number]

type Extras = Pick<Rejection, 'fields' | 'oauthError' | 'retryAfterSeconds'>

/** Creates a rejection. `developerMessage` says the cause and the remedy. */
export function reject(rejected: RejectionCode, developerMessage: string, extras: Extras = {}): Rejection {
  return { rejected, developerMessage, ...extras }
}

/** Rejects a change of an ended subscription. */
export function alreadyEnded(): Rejection {
  return reject('ALREADY_ENDED', 'The subscription has ended. Subscribe again to continue.')
}

/** Rejects one named field. Decisions 1: "400 naming the field". */
export function rejectField(path: string, problem: string): Rejection {
  return reject('INVALID_PARAMETER', `${path}: ${problem}`, { fields: [{ path, problem }] })
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value
}
