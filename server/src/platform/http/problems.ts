import { REJECTION_CODES, type RejectionCode } from '../../core/rejection.ts'
import { RIGHTS } from '../../core/rights.ts'
import type { AnyRoute } from './route.ts'

export interface Problem {
  readonly status: number
  /** Can be shown to a person. */
  readonly message: string
}

/** Each code's HTTP status and words for people. Decisions 1; a code without a row does not compile. */
export const PROBLEMS: Readonly<Record<RejectionCode, Problem>> = {
  MISSING_PARAMETER: { status: 400, message: 'Something required is missing from the request.' },
  INVALID_PARAMETER: { status: 400, message: 'Something in the request is not valid.' },
  INVALID_REQUEST: { status: 400, message: 'The request could not be understood.' },
  INVALID_URL_PATTERN: { status: 400, message: 'The address of the request is malformed.' },
  INVALID_ACCESS_TOKEN: { status: 401, message: 'Please sign in again.' },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'Please sign in again.' },
  INVALID_ASSERTION: { status: 401, message: 'The app could not be verified.' },
  INVALID_AUTHORIZATION_CODE: { status: 400, message: 'The approval could not be used. Please approve again.' },
  AUTHORIZATION_PENDING: { status: 400, message: 'Please approve the login in your browser.' },
  SLOW_DOWN: { status: 400, message: 'Please wait a moment.' },
  EXPIRED_TOKEN: { status: 400, message: 'The login has expired. Please start again.' },
  ACCESS_DENIED: { status: 400, message: 'The login was denied.' },
  INVALID_USER_SESSION: { status: 401, message: 'Please sign in on the terminal.' },
  INVALID_PASSCODE: { status: 400, message: 'Incorrect user ID or passcode.' },
  INVALID_CREDENTIALS: { status: 400, message: 'Incorrect e-mail address, password or code.' },
  READ_ONLY_VIEWING: {
    status: 403,
    message: 'You see this workspace as a viewer, so nothing was changed. Choose “Stop seeing as” to use this page.',
  },
  FORBIDDEN: { status: 403, message: 'This is not allowed.' },
  FORM_EXPIRED: { status: 403, message: 'This form is out of date. Open the page again and repeat what you did.' },
  APPLICATION_NOT_FOUND: { status: 404, message: 'There is no such app.' },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'There is no such organization.' },
  RELEASE_NOT_FOUND: { status: 404, message: 'There is no such release.' },
  PLAN_NOT_FOUND: { status: 404, message: 'There is no such plan.' },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'There is no such subscription.' },
  INVOICE_NOT_FOUND: { status: 404, message: 'There is no such invoice.' },
  DISPUTE_NOT_FOUND: { status: 404, message: 'There is no such dispute.' },
  BUSINESS_NOT_FOUND: { status: 404, message: 'There is no such business.' },
  STORE_NOT_FOUND: { status: 404, message: 'There is no such store.' },
  DEVICE_NOT_FOUND: { status: 404, message: 'There is no such device.' },
  HOOK_NOT_FOUND: { status: 404, message: 'There is no such hook.' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'There is no such delivery.' },
  REDELIVERY_NOT_FOUND: { status: 404, message: 'There is no such redelivery.' },
  ORDER_NOT_FOUND: { status: 404, message: 'There is no such order.' },
  CHARGE_NOT_FOUND: { status: 404, message: 'There is no such charge.' },
  PAYMENT_METHOD_NOT_FOUND: { status: 404, message: 'There is no such payment method.' },
  TEST_CLOCK_NOT_FOUND: { status: 404, message: 'There is no such test clock.' },
  KEY_NOT_FOUND: { status: 404, message: 'There is no such key.' },
  PURCHASE_NOT_FOUND: { status: 404, message: 'There is no such purchase.' },
  USER_NOT_FOUND: { status: 404, message: 'There is no such person.' },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'There is no such person here.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'This invitation is not valid or has expired.' },
  SESSION_NOT_FOUND: { status: 404, message: 'There is no such session.' },
  PASSWORD_RESET_NOT_FOUND: { status: 404, message: 'This link is not valid or has expired.' },
  DEVICE_LOGIN_NOT_FOUND: { status: 404, message: 'No pending login has this code.' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not accept this kind of request.' },
  REQUEST_ID_DUPLICATE: { status: 409, message: 'Another request has already used this id.' },
  REQUEST_IN_PROGRESS: { status: 409, message: 'The same request is still being processed.' },
  ACTIVATION_CODE_INVALID: {
    status: 409,
    message: 'This code is not valid or has expired. Please ask for a new code.',
  },
  STORE_IN_USE: { status: 409, message: 'This store still has a subscription. Move or cancel the subscription first.' },
  USER_ID_TAKEN: { status: 409, message: 'Another user of this business has this user ID.' },
  PURCHASE_CLOSED: { status: 409, message: 'This purchase has already ended.' },
  TOO_MANY_PURCHASES: { status: 409, message: 'Too many purchases of this app are open. Finish or cancel one first.' },
  APPLICATION_DISABLED: { status: 409, message: 'This app accepts no new subscribers.' },
  ALREADY_SUBSCRIBED: { status: 409, message: 'There is already a subscription to this plan.' },
  ALREADY_ENDED: { status: 409, message: 'The subscription has already ended.' },
  NOT_SCHEDULED_TO_CANCEL: { status: 409, message: 'The subscription has no scheduled cancellation.' },
  CANCEL_SCHEDULED: { status: 409, message: 'The subscription is scheduled to be cancelled.' },
  SAME_PLAN: { status: 409, message: 'The subscription already has this plan.' },
  PLAN_INCOMPATIBLE: { status: 409, message: 'This subscription cannot change to that plan.' },
  PAYMENT_DUE: { status: 409, message: 'A payment is due. Pay it first.' },
  CHARGE_IN_PROGRESS: { status: 409, message: 'A payment is still in progress. Please try again shortly.' },
  PAYMENT_METHOD_REQUIRED: { status: 409, message: 'A payment method is needed first.' },
  PAYMENT_DECLINED: { status: 409, message: 'The payment was declined. Please try another payment method.' },
  PAYMENT_METHOD_DECLINED: { status: 409, message: 'The payment method was declined. Use another one.' },
  PAYMENT_METHOD_IN_USE: { status: 409, message: 'Choose another default payment method first.' },
  INVOICE_NOT_OPEN: { status: 409, message: 'This invoice is not open, so nothing has to be paid.' },
  GATEWAY_NOT_CONFIGURED: { status: 409, message: 'This way to pay is not available here.' },
  GATEWAY_NOT_FOR_BUSINESS: { status: 409, message: 'This way to pay is not for this business.' },
  PLAN_NOT_SOLD_IN_COUNTRY: { status: 409, message: 'This plan is not sold in your country.' },
  PLAN_RETIRED: { status: 409, message: 'This plan is no longer sold.' },
  PACKAGE_NAME_TAKEN: { status: 409, message: 'Another app has this package name.' },
  DRAFT_CHANGED: { status: 409, message: 'Another person has changed this draft.' },
  RELEASE_ALREADY_DECIDED: { status: 409, message: 'This release was already reviewed.' },
  VERSION_CODE_TOO_LOW: {
    status: 409,
    message: 'The app already has a release with this version code or a higher one.',
  },
  SIGNER_CHANGED: { status: 409, message: 'The package is signed with a different key from the earlier releases.' },
  RELEASE_NOT_APPROVED: { status: 409, message: 'This version of the app is not approved.' },
  APPLICATION_NOT_INSTALLED: { status: 409, message: 'This app is not installed on this terminal.' },
  PERMISSIONS_NOT_APPROVED: { status: 409, message: 'Approve the permissions of this app first, in the store app.' },
  TOO_MANY_PLANS: { status: 409, message: 'The app has reached the maximum number of plans.' },
  TOO_MANY_KEYS: { status: 409, message: 'The app has reached the maximum number of keys.' },
  TOO_MANY_HOOKS: { status: 409, message: 'The app has reached the maximum number of hooks.' },
  HOOK_EXISTS: { status: 409, message: 'There is already a hook like this.' },
  HOOK_INACTIVE: { status: 409, message: 'The hook is not active.' },
  APPROVAL_REQUIRED: { status: 409, message: 'The merchant has not approved the app.' },
  APPROVAL_REVOKED: { status: 409, message: 'The merchant has revoked the approval of the app.' },
  TEST_SENT_ONCE: { status: 409, message: 'A test cannot be sent again.' },
  NO_CATCH_UP: { status: 409, message: 'No missed charges wait for a decision.' },
  APPLICATION_NOT_DISABLED: { status: 409, message: 'The app is still on sale.' },
  ENDING_IN_PROGRESS: {
    status: 409,
    message: 'The subscriptions are already ending, with the other choice about refunds.',
  },
  TOO_MANY_REDELIVERIES: { status: 409, message: 'The app has reached the maximum number of running redeliveries.' },
  INVOICE_NOT_PAID: { status: 409, message: 'The invoice is not paid.' },
  PAYOUT_EXCEEDS_OWED: { status: 409, message: 'A payout cannot exceed the amount owed.' },
  REFERENCE_BOOKED: { status: 409, message: 'This reference has already been booked.' },
  TRANSFERS_NOT_CONFIGURED: { status: 409, message: 'Payouts are booked by hand in this installation.' },
  PAYOUT_ACCOUNT_NOT_READY: { status: 409, message: 'The payout account of the organization is not ready.' },
  REFUND_EXCEEDS_PAID: { status: 409, message: 'A refund cannot exceed the amount paid.' },
  DISPUTE_DECIDED: { status: 409, message: 'The dispute has already been decided.' },
  EVIDENCE_SENT: { status: 409, message: 'Evidence was already sent to the bank. The bank reads evidence once.' },
  EVIDENCE_PAST_DUE: { status: 409, message: 'The time for evidence is over.' },
  EVIDENCE_REJECTED: { status: 409, message: 'The payment provider does not accept this evidence.' },
  ORDER_EXISTS: { status: 409, message: 'There is already an order with this id.' },
  ORDER_CLOSED: { status: 409, message: 'The order is already closed.' },
  NOT_A_TEST_MERCHANT: { status: 409, message: 'This is only for test merchants.' },
  TEST_CLOCK_EXISTS: { status: 409, message: 'The business already has a test clock.' },
  TEST_CLOCK_TOO_LATE: { status: 409, message: 'A test clock must be created before the first subscription.' },
  TEST_CLOCK_ADVANCING: { status: 409, message: 'The test clock is still advancing.' },
  ACCOUNT_EXISTS: { status: 409, message: 'There is already an account with this address.' },
  ALREADY_MEMBER: { status: 409, message: 'This person is already a member.' },
  LAST_ADMIN: { status: 409, message: 'At least one administrator must remain.' },
  SECOND_FACTOR_REQUIRED: { status: 409, message: 'Please enter the code from your authenticator app.' },
  SECOND_FACTOR_REJECTED: { status: 409, message: 'This code is incorrect or was already used.' },
  SECOND_FACTOR_EXISTS: { status: 409, message: 'Two-step sign-in is already set up.' },
  SECOND_FACTOR_MISSING: { status: 409, message: 'Two-step sign-in is not set up.' },
  QUOTA_EXCEEDED: { status: 409, message: 'The limit for this organization is reached.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again shortly.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The format of the request is not supported.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request is too large.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is briefly unavailable. Please try again.' },
}

/**
 * Every code that a route can return once the URL is routed: codes that follow from the route's shape, and declared codes. Malformed URLs
 * and oversized headers are rejected before routing.
 */
export function rejectionsOf(route: AnyRoute): RejectionCode[] {
  const codes = new Set<RejectionCode>([
    ...(route.rejections ?? []),
    ...rejectionsOfInput(route),
    ...rejectionsOfCaller(route),
    ...rejectionsOfKey(route),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ])
  return REJECTION_CODES.filter(code => codes.has(code))
}

/** Every POST accepts an idempotency key, unless its route opts out. */
export function isIdempotent({ method, idempotent }: AnyRoute): boolean {
  return method === 'POST' && idempotent !== false
}

/** A terminal may say who is signed in on it. */
export function isForTerminals({ operation }: Pick<AnyRoute, 'operation'>): boolean {
  return operation !== 'public' && RIGHTS[operation].terminal !== 'none'
}

/** A body with these methods is read even if the route declares none. */
function takesBody({ method }: AnyRoute): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

function rejectionsOfInput(route: AnyRoute): RejectionCode[] {
  const { params, query, body, headers, upload } = route
  const schemas = [params, query, body, headers].filter(schema => schema !== undefined)
  // Path parameters are always present. A multipart form may lack a part.
  const asks = upload !== undefined || [query, body, headers].some(schema => (schema?.required ?? []).length > 0)
  return [
    ...(schemas.length > 0 ? (['INVALID_PARAMETER'] as const) : []),
    ...(asks ? (['MISSING_PARAMETER'] as const) : []),
    ...(takesBody(route) ? (['INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    // Node reads the body of every other method.
    ...(route.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
  ]
}

/** Decisions 3, implemented by admission.ts, limits.ts and core/authorize.ts. */
function rejectionsOfCaller({ method, path, operation }: AnyRoute): RejectionCode[] {
  if (operation === 'public') return method === 'POST' ? ['TOO_MANY_REQUESTS'] : []
  const isOfApp = path.startsWith('/apps/:appId')
  const isOfBusiness = path.startsWith('/businesses/:businessId')
  return [
    'INVALID_ACCESS_TOKEN',
    ...(isForTerminals({ operation }) ? (['INVALID_USER_SESSION'] as const) : []),
    'TOO_MANY_REQUESTS',
    // A role may remove any right: an operator without a second factor has no right to any resource.
    'FORBIDDEN',
    ...(isOfApp ? (['APPLICATION_NOT_FOUND'] as const) : []),
    ...(isOfBusiness ? (['BUSINESS_NOT_FOUND'] as const) : []),
  ]
}

function rejectionsOfKey(route: AnyRoute): RejectionCode[] {
  if (!isIdempotent(route)) return []
  // Without a token, another body is another caller's request (idempotency/once.ts).
  const duplicate = route.operation === 'public' ? [] : (['REQUEST_ID_DUPLICATE'] as const)
  return ['INVALID_PARAMETER', ...duplicate, 'REQUEST_IN_PROGRESS']
}
