// Generated from contract/openapi.json by `npm run print`.

export type Uuid = string

export type AppUrn = string

export type DeviceUrn = string

export type Timestamp = string

export type Link = {
  "href": string
  "rel": string
  "method": string
}

export type TokenRequest = {
  "grantType": string
  "assertion"?: string
  "refreshToken"?: string
  "code"?: string
  "clientId"?: string
  "redirectUri"?: string
  "codeVerifier"?: string
}

export type Tokens = {
  "accessToken": string
  "refreshToken": string
  "expiresIn": number
  "scope": "ALL"
  "tokenType": "BEARER"
}

export type Revocation = {
  "token": string
  "token_type_hint"?: string
}

export type KeySet = {
  "keys": Array<{
  "kty": string
  "n": string
  "e": string
  "kid": string
  "use": string
  "alg": string
}>
}

export type SigningKey = {
  "kid": string
}

export type SignIn = {
  "email": string
  "password": string
  "totp"?: string
  "recoveryCode"?: string
  "membershipId"?: Uuid
}

export type OpenedSession = {
  "token": string
  "sessionId": Uuid
  "isCurrent": boolean
  "membership": Membership
  "isMfaVerified": boolean
  "address": string
  "agent": string
  "createdAt": Timestamp
  "usedAt": Timestamp
  "expiresAt": Timestamp
  "user": {
  "userId": Uuid
  "name": string
  "email": string
}
  "memberships": Array<Membership>
}

export type DeviceLogin = {
  "deviceCode": string
  "userCode": string
  "verificationUri": string
  "verificationUriComplete": string
  "expiresIn": number
  "interval": number
}

export type DevicePoll = {
  "deviceCode": string
}

export type CurrentSession = {
  "sessionId": Uuid
  "isCurrent": boolean
  "membership": Membership
  "isMfaVerified": boolean
  "address": string
  "agent": string
  "createdAt": Timestamp
  "usedAt": Timestamp
  "expiresAt": Timestamp
  "user": {
  "userId": Uuid
  "name": string
  "email": string
}
  "memberships": Array<Membership>
}

export type Session = {
  "sessionId": Uuid
  "isCurrent": boolean
  "membership": Membership
  "isMfaVerified": boolean
  "address": string
  "agent": string
  "createdAt": Timestamp
  "usedAt": Timestamp
  "expiresAt": Timestamp
}

export type SessionList = {
  "list": Array<Session>
}

export type MembershipChoice = {
  "membershipId": Uuid
}

export type Membership = {
  "membershipId": Uuid
  "kind": "MERCHANT" | "DEVELOPER" | "OPERATOR"
  "organizationId"?: Uuid
  "businessId"?: Uuid
  "workspaceName"?: string
  "role": "OWNER" | "ADMIN" | "MANAGER" | "MEMBER" | "VIEWER"
}

export type Person = {
  "membershipId": Uuid
  "userId": Uuid
  "name": string
  "email": string
  "status": "ACTIVE" | "DISABLED"
  "role": "OWNER" | "ADMIN" | "MANAGER" | "MEMBER" | "VIEWER"
  "createdAt": Timestamp
}

export type People = {
  "list": Array<Person>
}

export type RoleChange = {
  "role": "OWNER" | "ADMIN" | "MANAGER" | "MEMBER" | "VIEWER"
}

export type InvitationRequest = {
  "kind": "MERCHANT" | "DEVELOPER" | "OPERATOR"
  "organizationId"?: Uuid
  "businessId"?: Uuid
  "email": string
  "role": "OWNER" | "ADMIN" | "MANAGER" | "MEMBER" | "VIEWER"
}

export type Invitation = {
  "invitationId": Uuid
  "kind": "MERCHANT" | "DEVELOPER" | "OPERATOR"
  "organizationId"?: Uuid
  "businessId"?: Uuid
  "email": string
  "role": "OWNER" | "ADMIN" | "MANAGER" | "MEMBER" | "VIEWER"
  "status": "PENDING" | "ACCEPTED" | "REVOKED" | "EXPIRED"
  "createdAt": Timestamp
  "expiresAt": Timestamp
}

export type InvitationList = {
  "list": Array<Invitation>
}

export type Acceptance = {
  "secret": string
  "name"?: string
  "password": string
}

export type User = {
  "userId": Uuid
  "email": string
  "name": string
  "status": "ACTIVE" | "DISABLED"
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type UserChange = {
  "status": "ACTIVE" | "DISABLED"
  "force"?: boolean
}

export type Account = {
  "userId": Uuid
  "email": string
  "name": string
  "hasSecondFactor": boolean
  "recoveryCodesLeft": number
}

export type AccountChange = {
  "name": string
}

export type PasswordChange = {
  "password": string
  "newPassword": string
}

export type SecondFactorRequest = {
  "password": string
}

export type SecondFactor = {
  "secret": string
  "otpauthUri": string
  "qrCode": string
}

export type SecondFactorConfirmation = {
  "totp": string
}

export type RecoveryCodes = {
  "recoveryCodes": Array<string>
}

export type Confirmation = {
  "password": string
  "totp"?: string
  "recoveryCode"?: string
}

export type PasswordResetRequest = {
  "email": string
}

export type PasswordResetCompletion = {
  "secret": string
  "newPassword": string
}

export type Plan = {
  "planId": Uuid
  "appId": AppUrn
  "name": string
  "description": string
  "amounts": Array<{
  "country": string
  "currency": string
  "value": number
}>
  "amount": number
  "interval": "DAY" | "WEEK" | "MONTH" | "YEAR"
  "intervalCount": number
  "trialPeriodDays": number
  "trialEligibility": "ALWAYS" | "ONCE_PER_BUSINESS"
  "startPolicy": "IMMEDIATE"
  "cancelPolicy": "IMMEDIATE" | "BILLING"
  "gracePeriodDays": number
  "scope": "BUSINESS" | "STORE" | "DEVICE"
  "status": "INACTIVE" | "ACTIVE"
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type PlanPage = {
  "list": Array<Plan>
  "start": number
  "total": number
  "count": number
}

export type SubscriptionRequest = {
  "businessId": Uuid
  "planId": Uuid
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
  "paymentMethodId"?: Uuid
}

export type Subscription = {
  "subscriptionId": Uuid
  "appId": AppUrn
  "businessId": Uuid
  "planId": Uuid
  "bundleId": Uuid
  "phase": "TRIAL" | "FULL"
  "status": "PENDING" | "ACTIVE" | "ENDED"
  "startAt": Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
  "trialEndAt"?: Timestamp
  "currentPeriodStart": Timestamp
  "currentPeriodEnd": Timestamp
  "nextChargeAt"?: Timestamp
  "cancelAt"?: Timestamp
  "endedAt"?: Timestamp
  "endReason"?: "CANCELLED" | "DISPUTED" | "NON_PAYMENT" | "NOT_STARTED" | "OPERATOR"
  "paymentStatus": "CURRENT" | "PAST_DUE"
  "pendingPlanId"?: Uuid
  "actionUrl"?: string
}

export type SubscriptionPage = {
  "list": Array<Subscription>
  "start": number
  "total": number
  "count": number
  "next"?: string
}

export type SubscriptionChange = {
  "planId"?: Uuid
  "when"?: "NOW" | "PERIOD_END"
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
}

export type PlanChange = {
  "planId": Uuid
  "when": "NOW" | "PERIOD_END"
}

export type PlanChangePreview = {
  "effectiveAt": Timestamp
  "currency": string
  "amount": number
  "lines": Array<InvoiceLine>
  "creditGranted": number
  "creditBalance": number
  "tax"?: InvoiceTax
}

export type TaxRate = {
  "country": string
  "validFrom": string
  "behavior": "INCLUSIVE" | "EXCLUSIVE" | "NONE"
  "name": string
  "rate": string
  "byAddress"?: boolean
}

export type TaxRateRequest = {
  "behavior": "INCLUSIVE" | "EXCLUSIVE" | "NONE"
  "name": string
  "rate": string
}

export type OperatorTaxRateRequest = {
  "behavior": "INCLUSIVE" | "EXCLUSIVE" | "NONE"
  "name": string
  "rate": string
  "byAddress"?: boolean
}

export type TaxRateList = {
  "list": Array<TaxRate>
}

export type TaxSettings = {
  "organizationId": Uuid
  "source": "OPERATOR" | "OWN" | "NONE"
  "rates": Array<TaxRate>
}

export type TaxSettingsRequest = {
  "source": "OPERATOR" | "OWN" | "NONE"
}

export type InvoiceTax = {
  "name": string
  "behavior": "INCLUSIVE" | "EXCLUSIVE"
  "rate": string
  "net": number
  "tax": number
  "gross": number
  "reverseCharge": boolean
  "rateSource"?: "ADDRESS" | "FALLBACK"
  "jurisdictions"?: Array<{
  "name": string
  "rate": string
}>
  "sellerTaxId"?: string
  "buyerTaxId"?: string
}

export type InvoiceLine = {
  "kind": "PLAN" | "CREDIT"
  "description": string
  "amount": number
  "net"?: number
  "tax"?: number
  "taxRate"?: string
  "periodStart": Timestamp
  "periodEnd": Timestamp
}

export type Invoice = {
  "invoiceId": Uuid
  "number": string
  "businessId": Uuid
  "appId": AppUrn
  "subscriptionId": Uuid
  "planId": Uuid
  "status": "OPEN" | "PAID" | "UNCOLLECTIBLE" | "VOID"
  "currency": string
  "country": string
  "amount": number
  "creditApplied": number
  "amountPaid": number
  "amountRefunded": number
  "amountChargedBack"?: number
  "lines": Array<InvoiceLine>
  "tax"?: InvoiceTax
  "attempts": Array<{
  "at": Timestamp
  "outcome": "SUCCEEDED" | "DECLINED" | "IN_FLIGHT" | "PENDING" | "ACTION_REQUIRED" | "UNKNOWN"
  "reason"?: string
  "actionUrl"?: string
}>
  "refunds": Array<Refund>
  "creditNotes"?: Array<{
  "creditNoteId": Uuid
  "number": string
  "refundId"?: Uuid
  "amount": number
  "tax"?: number
  "createdAt": Timestamp
}>
  "disputes"?: Array<Dispute>
  "periodStart": Timestamp
  "periodEnd": Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type InvoicePage = {
  "list": Array<Invoice>
  "start": number
  "total": number
  "count": number
}

export type NamedSubscription = {
  "subscriptionId": Uuid
  "appId": AppUrn
  "businessId": Uuid
  "planId": Uuid
  "bundleId": Uuid
  "phase": "TRIAL" | "FULL"
  "status": "PENDING" | "ACTIVE" | "ENDED"
  "startAt": Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
  "trialEndAt"?: Timestamp
  "currentPeriodStart": Timestamp
  "currentPeriodEnd": Timestamp
  "nextChargeAt"?: Timestamp
  "cancelAt"?: Timestamp
  "endedAt"?: Timestamp
  "endReason"?: "CANCELLED" | "DISPUTED" | "NON_PAYMENT" | "NOT_STARTED" | "OPERATOR"
  "paymentStatus": "CURRENT" | "PAST_DUE"
  "pendingPlanId"?: Uuid
  "actionUrl"?: string
  "appName": string
  "businessName": string
  "planName": string
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "currency": string
  "amount": number
}

export type SubscriptionList = {
  "subscriptions": Array<NamedSubscription>
  "links": Array<Link>
}

export type ListedInvoice = {
  "invoiceId": Uuid
  "number": string
  "appId": AppUrn
  "businessId": Uuid
  "appName": string
  "businessName": string
  "subscriptionId": Uuid
  "planId": Uuid
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "status": "OPEN" | "PAID" | "UNCOLLECTIBLE" | "VOID"
  "currency": string
  "amount": number
  "amountPaid": number
  "amountRefunded": number
  "amountChargedBack": number
  "periodStart": Timestamp
  "periodEnd": Timestamp
  "createdAt": Timestamp
}

export type InvoiceList = {
  "invoices": Array<ListedInvoice>
  "links": Array<Link>
}

export type ListedCharge = {
  "chargeId": Uuid
  "invoiceId": Uuid
  "invoiceNumber": string
  "appId": AppUrn
  "businessId": Uuid
  "appName": string
  "businessName": string
  "subscriptionId": Uuid
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "currency": string
  "amount": number
  "status": "IN_FLIGHT" | "PENDING" | "ACTION_REQUIRED" | "UNKNOWN" | "SUCCEEDED" | "DECLINED_SOFT" | "DECLINED_HARD" | "WITHDRAWN"
  "reason"?: string
  "startedAt": Timestamp
  "settledAt"?: Timestamp
}

export type ChargeList = {
  "charges": Array<ListedCharge>
  "links": Array<Link>
}

export type ListedDispute = {
  "disputeId": Uuid
  "invoiceId": Uuid
  "invoiceNumber": string
  "appId": AppUrn
  "businessId": Uuid
  "appName": string
  "businessName": string
  "subscriptionId": Uuid
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "currency": string
  "amount": number
  "status": "OPEN" | "LOST" | "WON"
  "evidenceDueAt"?: string
  "evidenceSentAt"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type DisputeList = {
  "disputes": Array<ListedDispute>
  "links": Array<Link>
}

export type RefundRequest = {
  "amount"?: number
  "reason"?: string
}

export type PayInvoiceRequest = {
  "paymentMethodId"?: Uuid
}

export type DisputeRequest = {
  "status": "OPEN" | "LOST" | "WON"
}

export type Dispute = {
  "disputeId": Uuid
  "amount": number
  "status": "OPEN" | "LOST" | "WON"
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type EvidenceRequest = {
  "productDescription"?: string
  "customerCommunication"?: string
  "uncategorizedText"?: string
}

export type AnsweredDispute = {
  "disputeId": Uuid
  "businessId": Uuid
  "status": "OPEN" | "LOST" | "WON"
  "evidenceDueAt"?: string
  "evidence"?: {
  "productDescription"?: string
  "customerCommunication"?: string
  "uncategorizedText"?: string
}
  "evidenceSentAt"?: Timestamp
}

export type Refund = {
  "refundId": Uuid
  "amount": number
  "reason"?: string
  "status": "PENDING" | "SUCCEEDED" | "FAILED"
  "createdAt": Timestamp
}

export type HookRequest = {
  "applicationId": AppUrn
  "businessId"?: Uuid
  "deliveryUrl": string
  "secret": string
  "eventTypes": Array<"APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED">
}

export type EventStreamMessage = {
  "id"?: string
  "event": "stream" | "notification"
  "data": string
  "retry"?: number
}

export type RotateSecretRequest = {
  "secret"?: string
}

export type Hook = {
  "id": Uuid
  "applicationId": AppUrn
  "businessId"?: Uuid
  "deliveryUrl": string
  "secret": string
  "eventTypes": Array<"APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED">
  "active": boolean
  "disabledReason"?: "gone" | "failing"
  "health"?: {
  "state": "HEALTHY" | "SLOW" | "FAILING" | "OPEN" | "HALF_OPEN"
  "failures": number
  "failingSince"?: Timestamp
  "lastFailure"?: string
  "pausedUntil"?: Timestamp
}
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type ChangedHook = {
  "id": Uuid
  "applicationId": AppUrn
  "businessId"?: Uuid
  "deliveryUrl": string
  "secret": string
  "eventTypes": Array<"APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED">
  "active": boolean
  "disabledReason"?: "gone" | "failing"
  "health"?: {
  "state": "HEALTHY" | "SLOW" | "FAILING" | "OPEN" | "HALF_OPEN"
  "failures": number
  "failingSince"?: Timestamp
  "lastFailure"?: string
  "pausedUntil"?: Timestamp
}
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "redeliveryId"?: Uuid
}

export type RotatedSecret = {
  "id": Uuid
  "applicationId": AppUrn
  "businessId"?: Uuid
  "deliveryUrl": string
  "secret": string
  "eventTypes": Array<"APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED">
  "active": boolean
  "disabledReason"?: "gone" | "failing"
  "health"?: {
  "state": "HEALTHY" | "SLOW" | "FAILING" | "OPEN" | "HALF_OPEN"
  "failures": number
  "failingSince"?: Timestamp
  "lastFailure"?: string
  "pausedUntil"?: Timestamp
}
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "previousSecretUntil": Timestamp
}

export type HookChanges = {
  "deliveryUrl"?: string
  "secret"?: string
  "eventTypes"?: Array<"APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED">
  "active"?: boolean
  "resendMissed"?: boolean
}

export type HookHours = {
  "hookId": Uuid
  "hours": Array<{
  "hour": Timestamp
  "acknowledged": number
  "failed": Array<{
  "outcome": string
  "attempts": number
}>
  "p50Ms": number
  "p95Ms": number
}>
}

export type HookList = {
  "hooks": Array<Hook>
  "links": Array<Link>
}

export type HookTestRequest = {
  "eventType"?: "APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED" | "TEST"
}

export type HookTestResult = {
  "deliveryId": Uuid
  "acknowledged": boolean
  "at": Timestamp
  "durationMs": number
  "httpStatus"?: number
  "reason"?: string
  "answer": string
}

export type Notification = {
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "links": Array<Link>
  "id": Uuid
  "deviceId"?: DeviceUrn
  "hookId": Uuid
  "applicationId": AppUrn
  "resource": string
  "resourceId": Uuid
  "eventType": "APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED" | "TEST"
  "merchantType"?: "MERCHANT" | "TEST_MERCHANT"
  "businessId": Uuid
  "storeId"?: Uuid
}

export type Delivery = {
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "links": Array<Link>
  "id": Uuid
  "deviceId"?: DeviceUrn
  "hookId": Uuid
  "applicationId": AppUrn
  "resource": string
  "resourceId": Uuid
  "eventType": string
  "merchantType"?: string
  "businessId": Uuid
  "storeId"?: Uuid
  "status": "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"
  "reason"?: string
  "attempt": number
  "deliveryUrl": string
  "nextAttemptAt"?: Timestamp
  "attempts": Array<{
  "at": Timestamp
  "durationMs": number
  "httpStatus"?: number
  "reason"?: string
  "answer": string
}>
  "hasEarlierAttempts"?: boolean
}

export type DeliverySummary = {
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "links": Array<Link>
  "id": Uuid
  "deviceId"?: DeviceUrn
  "hookId": Uuid
  "applicationId": AppUrn
  "resource": string
  "resourceId": Uuid
  "eventType": string
  "merchantType"?: string
  "businessId": Uuid
  "storeId"?: Uuid
  "status": "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"
  "reason"?: string
  "attempt": number
  "deliveryUrl": string
  "nextAttemptAt"?: Timestamp
}

export type DeliveryList = {
  "deliveries": Array<DeliverySummary>
  "links": Array<Link>
}

export type CatchUpDecision = {
  "decision": "RELEASE" | "SPREAD" | "WAIVE"
  "spreadDays"?: number
}

export type CatchUp = {
  "outageFrom": Timestamp
  "outageUntil": Timestamp
  "state": "WAITING" | "RELEASED" | "SPREAD" | "WAIVED"
  "goesOnAt": string
  "decidedAt"?: Timestamp
  "spreadDays"?: number
}

export type CatchUpReport = {
  "catchUp"?: {
  "outageFrom": Timestamp
  "outageUntil": Timestamp
  "state": "WAITING" | "RELEASED" | "SPREAD" | "WAIVED"
  "goesOnAt": string
  "decidedAt"?: Timestamp
  "spreadDays"?: number
}
  "dryRun": Array<{
  "appId": AppUrn
  "day": Timestamp
  "currency": string
  "charges": number
  "amount": number
}>
  "isCut": boolean
}

export type AppEndingRequest = {
  "refundUnused": boolean
}

export type AppEnding = {
  "endingId": Uuid
  "appId": AppUrn
  "refundUnused": boolean
  "state": "RUNNING" | "DONE" | "STOPPED"
  "progress": {
  "percent": number
  "total": number
  "ended": number
  "refunds": number
  "failed": number
}
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type RedeliveryRequest = {
  "startAt"?: string
  "since"?: string
  "endAt"?: string
  "businessId"?: Uuid
  "hookId"?: Uuid
  "status"?: "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"
}

export type Redelivery = {
  "redeliveryId": Uuid
  "applicationId": AppUrn
  "businessId"?: Uuid
  "hookId"?: Uuid
  "status"?: "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"
  "startAt": Timestamp
  "endAt": Timestamp
  "undeliveredSince"?: string
  "state": "RUNNING" | "DONE" | "CANCELLED"
  "progress": {
  "percent": number
  "queued": number
  "skipped": number
}
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type RedeliveryList = {
  "redeliveries": Array<Redelivery>
  "links": Array<Link>
}

export type BusinessRequest = {
  "legalName": string
  "emailAddress": string
  "country": string
  "type": "MERCHANT" | "TEST_MERCHANT"
  "organizationId"?: Uuid
  "billingEmail"?: string
  "taxId"?: string
  "language"?: "en" | "de" | "fr" | "es"
  "mailsOff"?: Array<"RECEIPT" | "CARD_EXPIRING" | "RESTORED" | "REFUND">
  "doingBusinessAs"?: string
  "phone"?: {
  "ituCountryCode"?: string
  "areaCode"?: string
  "localPhoneNumber"?: string
}
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "timezone"?: string
}

export type BusinessChanges = {
  "legalName"?: string
  "emailAddress"?: string
  "country"?: string
  "billingEmail"?: string
  "taxId"?: string
  "language"?: "en" | "de" | "fr" | "es"
  "mailsOff"?: Array<"RECEIPT" | "CARD_EXPIRING" | "RESTORED" | "REFUND">
  "doingBusinessAs"?: string
  "phone"?: {
  "ituCountryCode"?: string
  "areaCode"?: string
  "localPhoneNumber"?: string
}
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "timezone"?: string
}

export type Business = {
  "businessId": Uuid
  "id": Uuid
  "legalName": string
  "doingBusinessAs": string
  "emailAddress": string
  "phone"?: {
  "ituCountryCode"?: string
  "areaCode"?: string
  "localPhoneNumber"?: string
}
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "country": string
  "timezone": string
  "type": "MERCHANT" | "TEST_MERCHANT"
  "organizationId"?: Uuid
  "status": "ACTIVE" | "CLOSED"
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "billingEmail"?: string
  "taxId"?: string
  "taxIdStatus"?: "UNVERIFIED" | "VALID" | "INVALID"
  "language"?: "en" | "de" | "fr" | "es"
  "mailsOff"?: Array<"RECEIPT" | "CARD_EXPIRING" | "RESTORED" | "REFUND">
  "stores": Array<{
  "storeId": Uuid
  "displayName": string
  "status": "ACTIVE" | "CLOSED"
  "devices": Array<{
  "deviceId": DeviceUrn
  "name": string
  "serialNumber": string
  "status": "NEW" | "ACTIVE" | "CLOSED"
  "lastSeenAt"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}>
  "createdAt": Timestamp
  "updatedAt": Timestamp
}>
}

export type BusinessSummary = {
  "businessId": Uuid
  "id": Uuid
  "legalName": string
  "doingBusinessAs": string
  "emailAddress": string
  "phone"?: {
  "ituCountryCode"?: string
  "areaCode"?: string
  "localPhoneNumber"?: string
}
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "country": string
  "timezone": string
  "type": "MERCHANT" | "TEST_MERCHANT"
  "organizationId"?: Uuid
  "status": "ACTIVE" | "CLOSED"
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type BusinessList = {
  "businesses": Array<BusinessSummary>
  "links": Array<Link>
}

export type Terminal = {
  "deviceId": DeviceUrn
  "businessId": Uuid
  "businessName": string
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "storeId": Uuid
  "storeName": string
  "name": string
  "serialNumber": string
  "status": "NEW" | "ACTIVE" | "CLOSED"
  "lastSeenAt"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type TerminalList = {
  "terminals": Array<Terminal>
  "links": Array<Link>
}

export type StoreRequest = {
  "displayName": string
}

export type Store = {
  "storeId": Uuid
  "displayName": string
  "status": "ACTIVE" | "CLOSED"
  "devices": Array<{
  "deviceId": DeviceUrn
  "name": string
  "serialNumber": string
  "status": "NEW" | "ACTIVE" | "CLOSED"
  "lastSeenAt"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}>
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "businessId": Uuid
}

export type DeviceRequest = {
  "name": string
  "serialNumber": string
}

export type Device = {
  "deviceId": DeviceUrn
  "name": string
  "serialNumber": string
  "status": "NEW" | "ACTIVE" | "CLOSED"
  "lastSeenAt"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "businessId": Uuid
  "storeId": Uuid
  "activationCode": string
  "activationExpiresAt": Timestamp
}

export type ActivationCode = {
  "deviceId": DeviceUrn
  "activationCode": string
  "activationExpiresAt": Timestamp
}

export type Activation = {
  "activationCode": string
  "publicKey": string | Record<string, unknown>
}

export type ActivatedDevice = {
  "deviceId": DeviceUrn
  "businessId": Uuid
  "storeId": Uuid
  "name": string
  "kid": string
}

export type BusinessUserRequest = {
  "userId": string
  "passcode": string
  "name": string
  "role": "MANAGER" | "CLERK"
}

export type BusinessUserChanges = {
  "passcode"?: string
  "name"?: string
  "role"?: "MANAGER" | "CLERK"
  "status"?: "ACTIVE" | "DISABLED"
}

export type BusinessUser = {
  "businessUserId": Uuid
  "businessId": Uuid
  "userId": string
  "name": string
  "role": "MANAGER" | "CLERK"
  "status": "ACTIVE" | "DISABLED"
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type BusinessUserList = {
  "list": Array<BusinessUser>
  "start": number
  "total": number
  "count": number
}

export type TerminalSignIn = {
  "userId": string
  "passcode": string
}

export type TerminalSession = {
  "sessionToken": string
  "user": BusinessUser
  "expiresAt": Timestamp
}

export type UserToken = {
  "accessToken": string
  "expiresIn": number
  "scope": "ALL"
  "tokenType": "BEARER"
}

export type PurchaseRequest = {
  "planId"?: Uuid
  "replace"?: boolean
  "restore"?: boolean
  "subscriptionId"?: Uuid
}

export type Purchase = {
  "purchaseId": Uuid
  "appId": AppUrn
  "businessId": Uuid
  "kind": "SUBSCRIBE" | "REPLACE" | "RESTORE"
  "planId": Uuid
  "subscriptionId"?: Uuid
  "status": "OPEN" | "COMPLETED" | "CANCELLED" | "EXPIRED"
  "url"?: string
  "payment"?: {
  "status": "NOTHING_DUE" | "PAID" | "PENDING" | "ACTION_REQUIRED" | "DECLINED"
  "reason"?: string
  "actionUrl"?: string
}
  "createdAt": Timestamp
  "expiresAt": Timestamp
}

export type SubscriptionOrPurchase = Subscription | Purchase

export type ApprovalRequest = {
  "appId": AppUrn
  "rights"?: Array<"READ" | "SUBSCRIBE">
}

export type Approval = {
  "appId": AppUrn
  "businessId": Uuid
  "rights": Array<"READ" | "SUBSCRIBE">
  "approvedAt": Timestamp
}

export type ApprovalList = {
  "list": Array<Approval>
  "start": number
  "total": number
  "count": number
}

export type PaymentMethodRequest = {
  "gateway": "sandbox" | "stripe"
  "token": string
}

export type PaymentMethod = {
  "paymentMethodId": Uuid
  "businessId": Uuid
  "gateway": "sandbox" | "stripe"
  "label": string
  "card"?: {
  "brand": string
  "last4": string
  "expires": string
}
  "default": boolean
  "createdAt": Timestamp
}

export type PaymentMethodList = {
  "list": Array<PaymentMethod>
  "start": number
  "total": number
  "count": number
}

export type PaymentMethodSetupRequest = {
  "gateway": "sandbox" | "stripe"
}

export type PaymentMethodSetup = {
  "gateway": "sandbox" | "stripe"
  "clientSecret": string
  "publishableKey"?: string
}

export type OrderEvents = {
  "events": Array<{
  "id": string
  "eventType": "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED"
  "orderId": Uuid
  "businessId": Uuid
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
  "amount"?: number
  "currency"?: string
  "reference"?: string
  "note"?: string
}>
}

export type OrderEventResults = {
  "succeeded": number
  "failed": number
  "results": Array<{
  "id": string
  "orderId": Uuid
  "status": number
  "replayed"?: boolean
  "error"?: {
  "code": string
  "message": string
  "developerMessage": string
  "fields"?: Array<{
  "path": string
  "problem": string
}>
  "retryAfterSeconds"?: number
}
}>
}

export type OrderRequest = {
  "storeId"?: Uuid
  "deviceId"?: DeviceUrn
  "amount"?: number
  "currency"?: string
  "reference"?: string
  "note"?: string
}

export type OrderChanges = {
  "status"?: "OPENED" | "COMPLETED" | "CANCELLED"
  "amount"?: number
  "currency"?: string
  "reference"?: string
  "note"?: string
}

export type Order = {
  "orderId": Uuid
  "businessId": Uuid
  "storeId": Uuid
  "deviceId": DeviceUrn
  "status": "OPENED" | "COMPLETED" | "CANCELLED"
  "amount"?: number
  "currency"?: string
  "reference"?: string
  "note"?: string
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type AppRequest = {
  "organizationId": Uuid
  "name": string
  "packageName": string
  "callbackUrls"?: Array<string>
  "publicKey"?: string | Record<string, unknown>
}

export type AppChanges = {
  "name"?: string
  "callbackUrls"?: Array<string>
  "status"?: "ACTIVE" | "DISABLED"
}

export type App = {
  "appId": AppUrn
  "organizationId": Uuid
  "name": string
  "packageName": string
  "callbackUrls": Array<string>
  "status": "ACTIVE" | "DISABLED"
  "disabledBy"?: "DEVELOPER" | "OPERATOR"
  "icon"?: {
  "url": string
  "contentType": "image/png" | "image/jpeg" | "image/webp"
  "sha256": string
}
  "keys": Array<{
  "kid": string
  "createdAt": Timestamp
  "lastUsedAt"?: string
  "lastUsedFrom"?: string
}>
  "createdAt": Timestamp
  "updatedAt": Timestamp
  "kid"?: string
  "privateKey"?: string
}

export type AppList = {
  "apps": Array<App>
  "links": Array<Link>
}

export type AppAtTerminal = {
  "appId": AppUrn
  "packageName": string
  "name": string
  "developerName": string
  "icon"?: {
  "url": string
  "contentType": "image/png" | "image/jpeg" | "image/webp"
  "sha256": string
}
  "approvedApk"?: {
  "versionCode": number
  "signerSha256": string
  "permissions": Array<string>
}
}

export type InstalledAppReport = {
  "version": string
  "signerSha256": string
  "permissions": Array<string>
}

export type InstalledApp = {
  "appId": AppUrn
  "packageName": string
  "version": string
  "signerSha256": string
  "permissions": Array<string>
  "permissionsToApprove": Array<string>
  "installedAt": Timestamp
  "updatedAt": Timestamp
}

export type PermissionsApproval = {
  "permissions": Array<string>
}

export type SignedSubscriptions = {
  "jws": string
  "expiresAt": Timestamp
}

export type AppKeyRequest = {
  "publicKey"?: string | Record<string, unknown>
}

export type AppKey = {
  "kid": string
  "createdAt": Timestamp
  "privateKey"?: string
}

export type ReleaseRequest = {
  "version": string
  "plans": Array<{
  "name": string
  "amounts": Array<{
  "country": string
  "currency": string
  "value": number
}>
  "interval": "DAY" | "WEEK" | "MONTH" | "YEAR"
  "intervalCount"?: number
  "scope": "BUSINESS" | "STORE" | "DEVICE"
  "description"?: string
  "trialPeriodDays"?: number
  "trialEligibility"?: "ALWAYS" | "ONCE_PER_BUSINESS"
  "startPolicy"?: "IMMEDIATE"
  "cancelPolicy"?: "IMMEDIATE" | "BILLING"
  "gracePeriodDays"?: number
}>
  "notes"?: string
  "packageKind"?: "APK" | "OTHER"
}

export type Rejection = {
  "reason": string
}

export type ReleaseMessageRequest = {
  "text": string
}

export type Release = {
  "releaseId": Uuid
  "appId": AppUrn
  "version": string
  "status": "SUBMITTED" | "APPROVED" | "REJECTED" | "WITHDRAWN"
  "notes"?: string
  "reason"?: string
  "package"?: {
  "size": number
  "sha256": string
  "contentType": string
  "apk"?: {
  "packageName": string
  "versionCode": number
  "signerSha256": string
  "permissions": Array<string>
  "versionName"?: string
  "label"?: string
  "icon"?: string
}
}
  "createdAt": Timestamp
  "decidedAt"?: Timestamp
  "plans": Array<Plan>
  "messages": Array<{
  "messageId": Uuid
  "author": "OPERATOR" | "DEVELOPER"
  "text": string
  "createdAt": Timestamp
}>
}

export type ReleasePage = {
  "list": Array<{
  "releaseId": Uuid
  "appId": AppUrn
  "version": string
  "status": "SUBMITTED" | "APPROVED" | "REJECTED" | "WITHDRAWN"
  "notes"?: string
  "reason"?: string
  "package"?: {
  "size": number
  "sha256": string
  "contentType": string
  "apk"?: {
  "packageName": string
  "versionCode": number
  "signerSha256": string
  "permissions": Array<string>
  "versionName"?: string
  "label"?: string
  "icon"?: string
}
}
  "createdAt": Timestamp
  "decidedAt"?: Timestamp
}>
  "start": number
  "total": number
  "count": number
}

export type ReleaseList = {
  "releases": Array<{
  "releaseId": Uuid
  "appId": AppUrn
  "version": string
  "status": "SUBMITTED" | "APPROVED" | "REJECTED" | "WITHDRAWN"
  "notes"?: string
  "reason"?: string
  "package"?: {
  "size": number
  "sha256": string
  "contentType": string
  "apk"?: {
  "packageName": string
  "versionCode": number
  "signerSha256": string
  "permissions": Array<string>
  "versionName"?: string
  "label"?: string
  "icon"?: string
}
}
  "createdAt": Timestamp
  "decidedAt"?: Timestamp
}>
  "links": Array<Link>
}

export type OrganizationRequest = {
  "name": string
  "email": string
}

export type OrganizationChanges = {
  "name"?: string
  "email"?: string
}

export type Organization = {
  "organizationId": Uuid
  "name": string
  "email": string
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type OrganizationList = {
  "organizations": Array<Organization>
  "links": Array<Link>
}

export type OrganizationBalance = {
  "organizationId": Uuid
  "balances": Array<{
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "owed": number
}>
  "testBalances": Array<{
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "owed": number
}>
}

export type PayoutRequest = {
  "amount": number
  "currency": string
  "reference": string
}

export type AdjustmentRequest = {
  "kind": "FEE" | "ADJUSTMENT"
  "amount": number
  "currency": string
  "reason": string
}

export type OrganizationBooking = {
  "bookingId": Uuid
  "organizationId": Uuid
  "kind": "FEE" | "PAYOUT" | "ADJUSTMENT"
  "amount": number
  "currency": string
  "reference": string
  "createdAt": Timestamp
  "owed": number
}

export type OrganizationBookingList = {
  "list": Array<{
  "bookingId": Uuid
  "organizationId": Uuid
  "kind": "FEE" | "PAYOUT" | "ADJUSTMENT"
  "amount": number
  "currency": string
  "reference": string
  "createdAt": Timestamp
}>
  "start": number
  "total": number
  "count": number
}

export type PayoutAccount = {
  "organizationId": Uuid
  "accountId"?: string
  "status": "NONE" | "PENDING" | "READY"
}

export type OpenedPayoutAccount = {
  "organizationId": Uuid
  "accountId": string
  "status": "PENDING" | "READY"
  "onboardingUrl": string
}

export type PayoutTransferRequest = {
  "month": string
  "currency": string
}

export type PayoutTransfer = {
  "transferId": Uuid
  "organizationId": Uuid
  "month": string
  "currency": string
  "amount": number
  "status": "PENDING" | "SUCCEEDED" | "FAILED"
  "providerTransferId"?: string
  "failure"?: string
  "amountReversed": number
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type PayoutTransferList = {
  "list": Array<PayoutTransfer>
  "start": number
  "total": number
  "count": number
}

export type BrandRequest = {
  "name": string
  "accent"?: string
  "supportUrl"?: string
  "termsUrl"?: string
  "privacyUrl"?: string
  "imprintUrl"?: string
  "mailName"?: string
}

export type Brand = {
  "name": string
  "accent"?: string
  "supportUrl"?: string
  "termsUrl"?: string
  "privacyUrl"?: string
  "imprintUrl"?: string
  "mailName"?: string
  "logo"?: {
  "url": string
  "contentType": string
}
}

export type SellerRequest = {
  "legalName": string
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "taxId"?: string
}

export type Seller = {
  "legalName": string
  "address"?: {
  "line1"?: string
  "line2"?: string
  "city"?: string
  "territory"?: string
  "postalCode"?: string
  "countryCode"?: string
}
  "taxId"?: string
  "organizationId": Uuid
  "createdAt": Timestamp
}

export type BusinessBalance = {
  "businessId": Uuid
  "balances": Array<{
  "organizationId": Uuid
  "currency": string
  "charged": number
  "refunded": number
  "chargedBack": number
  "credit": number
}>
}

export type OperatorBalance = {
  "balances": Array<{
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "owed": number
  "gatewayFees"?: number
}>
  "testBalances": Array<{
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "owed": number
  "gatewayFees"?: number
}>
}

export type StatementList = {
  "list": Array<{
  "month": string
  "status": "OPEN" | "CLOSED"
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "opening": number
  "net": number
  "closing": number
}>
}

export type Statement = {
  "organizationId": Uuid
  "month": string
  "status": "OPEN" | "CLOSED"
  "list": Array<{
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "fees"?: number
  "paidOut"?: number
  "adjusted"?: number
  "opening": number
  "net": number
  "closing": number
  "lines": Array<{
  "appId": AppUrn
  "appName": string
  "planId": Uuid
  "planName": string
  "currency": string
  "charges": number
  "charged": number
  "refunds": number
  "refunded": number
  "chargedBack": number
  "share": number
  "credited": number
  "tax"?: number
  "net": number
}>
}>
}

export type TaxReport = {
  "month": string
  "status": "OPEN" | "CLOSED"
  "list": Array<{
  "country": string
  "currency": string
  "name": string
  "rate": string
  "reverseCharge": boolean
  "net": number
  "collected": number
  "returned": number
  "tax": number
}>
  "provider"?: Array<{
  "currency": string
  "recorded": number
  "waiting": number
  "tax": number
  "providerTax": number
  "difference": number
}>
}

export type Upcoming = {
  "days": Array<{
  "day": string
  "currency": string
  "charges": number
  "amount": number
}>
  "list": Array<{
  "subscriptionId": Uuid
  "appId": AppUrn
  "businessId": Uuid
  "planId": Uuid
  "currency": string
  "charges": number
  "amount": number
  "firstAt": Timestamp
}>
  "count": number
  "next"?: string
}

export type CountryRevenue = {
  "from": string
  "to"?: string
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "list": Array<{
  "currency": string
  "country": string
  "mrr": number
  "subscribers": number
  "collected": number
  "returned": number
}>
}

export type DailyRevenue = {
  "from": string
  "to": string
  "merchantType": "MERCHANT" | "TEST_MERCHANT"
  "list": Array<{
  "currency": string
  "opening": {
  "mrr": number
  "subscribers": number
}
  "days": Array<{
  "day": string
  "mrr": number
  "subscribers": number
  "new": {
  "count": number
  "amount": number
}
  "expansion": {
  "count": number
  "amount": number
}
  "contraction": {
  "count": number
  "amount": number
}
  "churn": {
  "count": number
  "amount": number
}
  "trialsStarted": number
  "trialsConverted": number
  "trialsEnded": number
  "pastDue": {
  "count": number
  "amount": number
}
  "recovered": {
  "count": number
  "amount": number
}
  "lost": {
  "count": number
  "amount": number
}
  "collected": {
  "count": number
  "amount": number
}
  "refunded": {
  "count": number
  "amount": number
}
  "chargedBack": {
  "count": number
  "amount": number
}
}>
}>
}

export type Revenue = {
  "month": string
  "list": Array<{
  "currency": string
  "mrr": {
  "amount": number
  "subscriptions": number
}
  "trials": {
  "ended": number
  "converted": number
  "rate"?: number
}
  "churn": {
  "before": number
  "churned": number
  "rate"?: number
  "beforeAmount": number
  "churnedAmount": number
  "amountRate"?: number
}
  "recovery": {
  "pastDue": number
  "recovered": number
  "open": number
  "rate"?: number
  "pastDueAmount": number
  "recoveredAmount": number
}
}>
}

export type TestClockRequest = {
  "businessId": Uuid
  "now": string
}

export type TestClockAdvance = {
  "to": string
}

export type TestClock = {
  "testClockId": Uuid
  "businessId": Uuid
  "now": Timestamp
  "status": "READY" | "ADVANCING"
  "to"?: Timestamp
  "createdAt": Timestamp
  "updatedAt": Timestamp
}

export type TestClockList = {
  "list": Array<TestClock>
}

export type ApiRequest = {
  "at": Timestamp
  "requestId": string
  "method": string
  "route": string
  "status": number
  "durationMs": number
  "businessId"?: Uuid
  "businessUserId"?: Uuid
}

export type ApiRequestList = {
  "requests": Array<ApiRequest>
  "links": Array<Link>
}

export type AuditList = {
  "entries": Array<{
  "entryId": number
  "at": Timestamp
  "principal": string
  "principalKind": string
  "operation": string
  "method": string
  "path": string
  "requestId": string
  "kind": "BRAND" | "ORGANIZATION" | "ORGANIZATION_BOOKING" | "PAYOUT_ACCOUNT" | "PAYOUT_TRANSFER" | "SELLER" | "APP" | "APP_KEY" | "SIGNING_KEY" | "RELEASE" | "RELEASE_MESSAGE" | "NOTE" | "PLAN" | "BUSINESS" | "STORE" | "DEVICE" | "DEVICE_KEY" | "BUSINESS_USER" | "APPROVAL" | "INSTALLED_APP" | "APP_PERMISSIONS" | "PAYMENT_METHOD" | "SUBSCRIPTION" | "INVOICE" | "DISPUTE_EVIDENCE" | "CHARGE" | "REFUND" | "HOOK" | "REDELIVERY" | "APP_ENDING" | "CATCH_UP" | "TAX_SETTINGS" | "TAX_RATE" | "ORDER" | "PURCHASE" | "TEST_CLOCK" | "USER" | "MEMBERSHIP" | "VIEWING" | "INVITATION" | "SECOND_FACTOR"
  "resourceId": string
  "businessId"?: Uuid
  "organizationId"?: Uuid
  "before"?: Record<string, unknown>
  "after"?: Record<string, unknown>
}>
  "links": Array<Link>
}

export type Reconciliations = {
  "reconciliations": Array<{
  "gateway": "sandbox" | "stripe"
  "fromAt": Timestamp
  "untilAt": Timestamp
  "finishedAt"?: Timestamp
  "compared": number
  "repaired": number
  "discrepancies": number
}>
  "discrepancies": Array<{
  "gateway": "sandbox" | "stripe"
  "gatewayChargeId": string
  "kind": "CHARGE_OBJECT_UNKNOWN" | "CHARGE_OBJECT_NOT_AT_GATEWAY" | "CHARGE_NOT_AT_GATEWAY" | "CHARGE_NOT_OURS" | "AMOUNT_DIFFERS" | "REFUND_NOT_AT_GATEWAY" | "REFUND_SUCCEEDED_AFTER_ALL" | "DISPUTED" | "DISPUTE_LOST" | "NOT_COMPARED"
  "detail": string
  "invoiceId"?: Uuid
  "firstSeenAt": Timestamp
  "lastSeenAt": Timestamp
}>
  "owedRefunds": Array<{
  "refundId": Uuid
  "invoiceId": Uuid
  "businessId": Uuid
  "amount": number
  "currency": string
  "failure": string
  "failedAt": Timestamp
}>
}

export type UnsettledCharge = {
  "chargeId": Uuid
  "subscriptionId": Uuid
  "status": "IN_FLIGHT" | "PENDING" | "ACTION_REQUIRED" | "UNKNOWN" | "SUCCEEDED" | "DECLINED_SOFT" | "DECLINED_HARD" | "WITHDRAWN"
  "reason"?: string
  "waitsUntil"?: Timestamp
  "gateway"?: string
  "invoiceId": Uuid
  "businessId": Uuid
  "businessName": string
  "amount": number
  "currency": string
  "startedAt": Timestamp
  "pollCount": number
  "nextPollAt"?: Timestamp
  "quarantined"?: {
  "failures": number
  "lastError": string
}
}

export type UnsettledCharges = {
  "list": Array<UnsettledCharge>
  "next"?: Uuid
}

export type UnsettledRefunds = {
  "list": Array<{
  "refundId": Uuid
  "reason": string
  "origin": string
  "invoiceId": Uuid
  "businessId": Uuid
  "businessName": string
  "amount": number
  "currency": string
  "startedAt": Timestamp
  "pollCount": number
  "nextPollAt"?: Timestamp
  "quarantined"?: {
  "failures": number
  "lastError": string
}
}>
  "next"?: Uuid
}

export type QuarantinedList = {
  "list": Array<{
  "kind": string
  "rowId": Uuid
  "failures": number
  "lastError": string
  "retryAt": Timestamp
}>
}

export type Checks = {
  "checkedAt": Timestamp
  "checks": Array<{
  "check": "periodsContiguous" | "periodsBilled" | "chargedOnce" | "oneChargeObject" | "gatewayMatches" | "chargedInTime" | "ledgerBalances" | "totalsMatch" | "revenueMatches" | "revenueDaysMatch" | "revenueCountriesMatch" | "shareReturned" | "taxMatches" | "taxTotalsMatch" | "linesAddUp" | "creditMatches" | "creditWithinPaid" | "moneyMatches" | "refundsWithinPaid" | "disputesMatch" | "numbersWithoutGap" | "eventsOnce" | "eventsComplete" | "eventsInOrder" | "everythingScheduled" | "nothingOverdue"
  "rule": string
  "status": "PASSED" | "VIOLATED" | "UNKNOWN"
  "violations": Array<{
  "id": string
  "problem": string
}>
}>
}

export type GatewayEventReceipt = {
  "received": boolean
}

export type Health = {
  "status": "ok" | "degraded"
  "version": string
  "database": "up" | "down"
  "waiting"?: {
  "deliveriesDue"?: number
  "oldestDeliverySeconds"?: number
  "chargesUnsettled": number
  "chargesUnknown": number
  "refundsUnsettled": number
  "subscriptionsDue": number
  "quarantined": number
}
}

export type Readiness = {
  "status": "ready" | "database_down"
}

export type ApiError = {
  "code": "MISSING_PARAMETER" | "INVALID_PARAMETER" | "INVALID_REQUEST" | "INVALID_URL_PATTERN" | "INVALID_ACCESS_TOKEN" | "INVALID_REFRESH_TOKEN" | "INVALID_ASSERTION" | "INVALID_AUTHORIZATION_CODE" | "AUTHORIZATION_PENDING" | "SLOW_DOWN" | "EXPIRED_TOKEN" | "ACCESS_DENIED" | "INVALID_USER_SESSION" | "INVALID_PASSCODE" | "INVALID_CREDENTIALS" | "FORBIDDEN" | "READ_ONLY_VIEWING" | "FORM_EXPIRED" | "APPLICATION_NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "RELEASE_NOT_FOUND" | "PLAN_NOT_FOUND" | "SUBSCRIPTION_NOT_FOUND" | "INVOICE_NOT_FOUND" | "DISPUTE_NOT_FOUND" | "BUSINESS_NOT_FOUND" | "STORE_NOT_FOUND" | "DEVICE_NOT_FOUND" | "HOOK_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "REDELIVERY_NOT_FOUND" | "ORDER_NOT_FOUND" | "CHARGE_NOT_FOUND" | "PAYMENT_METHOD_NOT_FOUND" | "TEST_CLOCK_NOT_FOUND" | "KEY_NOT_FOUND" | "USER_NOT_FOUND" | "PURCHASE_NOT_FOUND" | "MEMBERSHIP_NOT_FOUND" | "INVITATION_NOT_FOUND" | "SESSION_NOT_FOUND" | "PASSWORD_RESET_NOT_FOUND" | "DEVICE_LOGIN_NOT_FOUND" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_ID_DUPLICATE" | "REQUEST_IN_PROGRESS" | "ACTIVATION_CODE_INVALID" | "STORE_IN_USE" | "USER_ID_TAKEN" | "PURCHASE_CLOSED" | "TOO_MANY_PURCHASES" | "APPLICATION_DISABLED" | "ALREADY_SUBSCRIBED" | "ALREADY_ENDED" | "NOT_SCHEDULED_TO_CANCEL" | "CANCEL_SCHEDULED" | "SAME_PLAN" | "PLAN_INCOMPATIBLE" | "PAYMENT_DUE" | "CHARGE_IN_PROGRESS" | "PAYMENT_METHOD_REQUIRED" | "PAYMENT_DECLINED" | "PAYMENT_METHOD_DECLINED" | "PAYMENT_METHOD_IN_USE" | "INVOICE_NOT_OPEN" | "GATEWAY_NOT_CONFIGURED" | "GATEWAY_NOT_FOR_BUSINESS" | "PLAN_NOT_SOLD_IN_COUNTRY" | "PLAN_RETIRED" | "APPLICATION_NOT_DISABLED" | "ENDING_IN_PROGRESS" | "NO_CATCH_UP" | "PACKAGE_NAME_TAKEN" | "RELEASE_ALREADY_DECIDED" | "DRAFT_CHANGED" | "VERSION_CODE_TOO_LOW" | "SIGNER_CHANGED" | "RELEASE_NOT_APPROVED" | "APPLICATION_NOT_INSTALLED" | "PERMISSIONS_NOT_APPROVED" | "TOO_MANY_PLANS" | "TOO_MANY_KEYS" | "TOO_MANY_HOOKS" | "HOOK_EXISTS" | "HOOK_INACTIVE" | "APPROVAL_REQUIRED" | "APPROVAL_REVOKED" | "TEST_SENT_ONCE" | "TOO_MANY_REDELIVERIES" | "INVOICE_NOT_PAID" | "REFUND_EXCEEDS_PAID" | "DISPUTE_DECIDED" | "EVIDENCE_SENT" | "EVIDENCE_PAST_DUE" | "EVIDENCE_REJECTED" | "PAYOUT_EXCEEDS_OWED" | "REFERENCE_BOOKED" | "TRANSFERS_NOT_CONFIGURED" | "PAYOUT_ACCOUNT_NOT_READY" | "ORDER_CLOSED" | "ORDER_EXISTS" | "NOT_A_TEST_MERCHANT" | "TEST_CLOCK_EXISTS" | "TEST_CLOCK_TOO_LATE" | "TEST_CLOCK_ADVANCING" | "ACCOUNT_EXISTS" | "ALREADY_MEMBER" | "LAST_ADMIN" | "SECOND_FACTOR_REQUIRED" | "SECOND_FACTOR_REJECTED" | "SECOND_FACTOR_EXISTS" | "SECOND_FACTOR_MISSING" | "QUOTA_EXCEEDED" | "TOO_MANY_REQUESTS" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE"
  "httpStatus": number
  "message": string
  "developerMessage": string
  "requestId": string
  "fields"?: Array<{
  "path": string
  "problem": string
}>
  "error"?: string
  "error_description"?: string
}


export interface Operations {
  /** Revoke a key of an app and its tokens */
  revokeAppKey: { params: { appId: AppUrn; kid: string }; result: undefined }
  /** Rotate the signing key of access tokens: the new key is published at once and signs ten minutes later */
  rotateSigningKey: { params: {  }; result: SigningKey }
  /** Get the public keys of access tokens */
  getKeySet: { params: {  }; result: KeySet }
  /** List organizations by name, e-mail or id, newest first */
  listOrganizations: { params: { organizationId?: Uuid; q?: string; limit?: number; after?: Uuid }; result: OrganizationList }
  /** Create a developer organization */
  createOrganization: { params: { body: OrganizationRequest }; result: Organization }
  /** Get an organization */
  getOrganization: { params: { organizationId: Uuid }; result: Organization }
  /** Change the name or e-mail of an organization. Issued invoices keep the old values */
  updateOrganization: { params: { organizationId: Uuid; body?: OrganizationChanges }; result: Organization }
  /** Get the seller data of an organization for new invoices */
  getSeller: { params: { organizationId: Uuid }; result: Seller }
  /** Set the seller data of an organization for new invoices */
  nameSeller: { params: { organizationId: Uuid; body: SellerRequest }; result: Seller }
  /** List apps by name, package name or id, newest first */
  listApps: { params: { organizationId?: Uuid; status?: "ACTIVE" | "DISABLED"; q?: string; limit?: number; after?: Uuid }; result: AppList }
  /** Create an app, optionally with an icon */
  createApp: { params: { body: AppRequest }; result: App }
  /** Get an app */
  getApp: { params: { appId: AppUrn }; result: App }
  /** Update an app or its icon, or disable or enable the app */
  updateApp: { params: { appId: AppUrn; body?: AppChanges }; result: App }
  /** Add a key to an app */
  addAppKey: { params: { appId: AppUrn; body?: AppKeyRequest }; result: AppKey }
  /** Remove the icon of an app */
  removeAppIcon: { params: { appId: AppUrn }; result: undefined }
  /** List the releases of an app, without plans */
  listReleases: { params: { appId: AppUrn; start?: number; count?: number }; result: ReleasePage }
  /** Submit a release of an app for review, with plans and optionally a package */
  submitRelease: { params: { appId: AppUrn; body: ReleaseRequest }; result: Release }
  /** List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review */
  listAllReleases: { params: { organizationId?: Uuid; status?: "SUBMITTED" | "APPROVED" | "REJECTED" | "WITHDRAWN"; limit?: number; after?: Uuid }; result: ReleaseList }
  /** Get a release with its plans */
  getRelease: { params: { appId: AppUrn; releaseId: Uuid }; result: Release }
  /** Approve a release and activate its plans */
  approveRelease: { params: { appId: AppUrn; releaseId: Uuid }; result: Release }
  /** Reject a release with a reason */
  rejectRelease: { params: { appId: AppUrn; releaseId: Uuid; body: Rejection }; result: Release }
  /** Withdraw a release from review and delete its package */
  withdrawRelease: { params: { appId: AppUrn; releaseId: Uuid }; result: Release }
  /** Ask the developer about a release in review, or answer the operator's question */
  writeReleaseMessage: { params: { appId: AppUrn; releaseId: Uuid; body: ReleaseMessageRequest }; result: Release }
  /** List the plans of an app */
  listPlans: { params: { appId: AppUrn; status?: "INACTIVE" | "ACTIVE"; start?: number; count?: number }; result: PlanPage }
  /** Retire a plan: it accepts no new subscribers */
  retirePlan: { params: { appId: AppUrn; planId: Uuid }; result: Plan }
  /** List businesses by name, e-mail or id, newest first, without stores */
  searchBusinesses: { params: { organizationId?: Uuid; type?: "MERCHANT" | "TEST_MERCHANT"; q?: string; limit?: number; after?: Uuid }; result: BusinessList }
  /** Find the business of a terminal */
  findBusiness: { params: { storeDeviceId: DeviceUrn }; result: Business }
  /** Create a merchant or a test merchant */
  createBusiness: { params: { body: BusinessRequest }; result: Business }
  /** Get a business with its stores and devices */
  getBusiness: { params: { businessId: Uuid }; result: Business }
  /** Update a business */
  updateBusiness: { params: { businessId: Uuid; body?: BusinessChanges }; result: Business }
  /** Create a store */
  addStore: { params: { businessId: Uuid; body: StoreRequest }; result: Store }
  /** Create a terminal and get its activation code */
  addDevice: { params: { businessId: Uuid; storeId: Uuid; body: DeviceRequest }; result: Device }
  /** Create a new activation code for a terminal */
  renewActivationCode: { params: { businessId: Uuid; deviceId: DeviceUrn }; result: ActivationCode }
  /** List the apps that a business has approved */
  listApprovals: { params: { businessId: Uuid }; result: ApprovalList }
  /** Approve an app, or change its approved rights */
  approveApp: { params: { businessId: Uuid; body: ApprovalRequest }; result: Approval }
  /** List the subscriptions of an app: active ones of all merchants, unless filtered */
  listSubscriptions: { params: { appId: AppUrn; businessId?: Uuid; storeId?: Uuid; deviceId?: DeviceUrn; planId?: Uuid; status?: "PENDING" | "ACTIVE" | "ENDED" | "ALL"; start?: number; count?: number; after?: Uuid }; result: SubscriptionPage }
  /** Subscribe a merchant to a plan. The response waits up to 5 s for the first payment; without an outcome the subscription is PENDING (202). Without the right SUBSCRIBE the merchant must confirm a purchase (202) */
  subscribe: { params: { appId: AppUrn; body: SubscriptionRequest }; result: Subscription | SubscriptionOrPurchase }
  /** Get a subscription. Every billing event links here */
  getSubscription: { params: { appId: AppUrn; subscriptionId: Uuid }; result: Subscription }
  /** Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202) */
  changeSubscription: { params: { appId: AppUrn; subscriptionId: Uuid; body?: SubscriptionChange }; result: Subscription | Purchase }
  /** Cancel a subscription, at once or at the end of the paid period, as the plan defines */
  cancelSubscription: { params: { appId: AppUrn; subscriptionId: Uuid }; result: Subscription }
  /** Undo a scheduled cancellation. Without the right SUBSCRIBE the merchant must confirm (202) */
  restoreSubscription: { params: { appId: AppUrn; subscriptionId: Uuid }; result: Subscription | Purchase }
  /** End a subscription now, as the operator */
  endSubscription: { params: { appId: AppUrn; subscriptionId: Uuid }; result: Subscription }
  /** Preview a plan change: the lines of its invoice and the credit. Nothing is stored */
  previewPlanChange: { params: { appId: AppUrn; subscriptionId: Uuid; body: PlanChange }; result: PlanChangePreview }
  /** Get a purchase and its outcome */
  getPurchase: { params: { appId: AppUrn; purchaseId: Uuid }; result: Purchase }
  /** List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions */
  listInvoices: { params: { businessId: Uuid; start?: number; count?: number }; result: InvoicePage }
  /** Get an invoice. Payment and refund events link here */
  getInvoice: { params: { businessId: Uuid; invoiceId: Uuid }; result: Invoice }
  /** List the subscriptions of all visible apps, newest first */
  searchSubscriptions: { params: { status?: "PENDING" | "ACTIVE" | "ENDED"; phase?: "TRIAL" | "FULL"; paymentStatus?: "CURRENT" | "PAST_DUE"; planId?: Uuid; organizationId?: Uuid; appId?: AppUrn; businessId?: Uuid; merchantType?: "MERCHANT" | "TEST_MERCHANT"; startAt?: string; endAt?: string; q?: string; limit?: number; after?: Uuid }; result: SubscriptionList }
  /** List the invoices of all visible apps, newest first, without lines and attempts */
  searchInvoices: { params: { status?: "OPEN" | "PAID" | "UNCOLLECTIBLE" | "VOID"; subscriptionId?: Uuid; number?: string; refunded?: boolean; organizationId?: Uuid; appId?: AppUrn; businessId?: Uuid; merchantType?: "MERCHANT" | "TEST_MERCHANT"; startAt?: string; endAt?: string; q?: string; limit?: number; after?: Uuid }; result: InvoiceList }
  /** List the charges of all visible apps, newest first */
  searchCharges: { params: { status?: "SUCCEEDED" | "DECLINED" | "IN_FLIGHT" | "PENDING" | "ACTION_REQUIRED" | "UNKNOWN" | "WITHDRAWN"; invoiceId?: Uuid; organizationId?: Uuid; appId?: AppUrn; businessId?: Uuid; merchantType?: "MERCHANT" | "TEST_MERCHANT"; startAt?: string; endAt?: string; q?: string; limit?: number; after?: Uuid }; result: ChargeList }
  /** List the disputes of all visible apps, newest first */
  searchDisputes: { params: { status?: "OPEN" | "LOST" | "WON"; organizationId?: Uuid; appId?: AppUrn; businessId?: Uuid; merchantType?: "MERCHANT" | "TEST_MERCHANT"; startAt?: string; endAt?: string; q?: string; limit?: number; after?: Uuid }; result: DisputeList }
  /** Get a dispute with its deadline and the evidence that was sent */
  getDispute: { params: { disputeId: Uuid }; result: AnsweredDispute }
  /** Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later */
  sendEvidence: { params: { disputeId: Uuid; body?: EvidenceRequest }; result: AnsweredDispute }
  /** Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund */
  refundInvoice: { params: { businessId: Uuid; invoiceId: Uuid; body?: RefundRequest }; result: Refund }
  /** Open or decide a dispute of a test merchant's payment */
  disputeInvoice: { params: { businessId: Uuid; invoiceId: Uuid; body: DisputeRequest }; result: Dispute }
  /** Charge an open invoice now. The outcome is in the invoice and in an event */
  payInvoice: { params: { businessId: Uuid; invoiceId: Uuid; body?: PayInvoiceRequest }; result: Invoice }
  /** List the payment methods of a merchant, the default first */
  listPaymentMethods: { params: { businessId: Uuid; start?: number; count?: number }; result: PaymentMethodList }
  /** Save a payment method as the default, and charge past-due invoices */
  addPaymentMethod: { params: { businessId: Uuid; body: PaymentMethodRequest }; result: PaymentMethod }
  /** Begin saving a card with the gateway's own page element, so that Tillhook sees no card number */
  beginPaymentMethod: { params: { businessId: Uuid; body: PaymentMethodSetupRequest }; result: PaymentMethodSetup }
  /** Make a payment method the default, and charge past-due invoices with it */
  setDefaultPaymentMethod: { params: { businessId: Uuid; paymentMethodId: Uuid }; result: PaymentMethod }
  /** Remove a payment method. The default of a live paid subscription cannot be removed */
  removePaymentMethod: { params: { businessId: Uuid; paymentMethodId: Uuid }; result: undefined }
  /** End all subscriptions of a disabled app, in the background */
  endAppSubscriptions: { params: { appId: AppUrn; body: AppEndingRequest }; result: AppEnding }
  /** Get the progress of ending all subscriptions of an app */
  getAppEnding: { params: { appId: AppUrn; endingId: Uuid }; result: AppEnding }
  /** Get the last billing outage of more than a day, and its missed charges */
  getCatchUp: { params: {  }; result: CatchUpReport }
  /** Decide about the missed charges of an outage: charge now, spread over days, or waive */
  decideCatchUp: { params: { body: CatchUpDecision }; result: CatchUp }
  /** Get the balance of a developer in each currency */
  getOrganizationBalance: { params: { organizationId: Uuid }; result: OrganizationBalance }
  /** List the months with bookings, newest first */
  listStatements: { params: { organizationId: Uuid; merchantType?: "MERCHANT" | "TEST_MERCHANT" }; result: StatementList }
  /** Get the statement of a month: bookings by plan, and the balance before and after */
  getStatement: { params: { organizationId: Uuid; month: string; merchantType?: "MERCHANT" | "TEST_MERCHANT"; currency?: string }; result: Statement }
  /** Get the payments and the credit of a merchant. A developer sees only its own apps */
  getBusinessBalance: { params: { businessId: Uuid }; result: BusinessBalance }
  /** Get the operator's share, gateway fees and debts to developers, in each currency */
  getOperatorBalance: { params: {  }; result: OperatorBalance }
  /** Get the collected and returned tax of a month by country and rate */
  getTaxReport: { params: { month: string; merchantType?: "MERCHANT" | "TEST_MERCHANT"; organizationId?: Uuid }; result: TaxReport }
  /** List payouts, fees and adjustments of a developer, newest first */
  listPayouts: { params: { organizationId: Uuid; start?: number; count?: number }; result: OrganizationBookingList }
  /** Book a payout to a developer, up to the owed amount */
  bookPayout: { params: { organizationId: Uuid; body: PayoutRequest }; result: OrganizationBooking }
  /** Book a gateway fee that the developer bears, or an adjustment of the developer's balance */
  bookAdjustment: { params: { organizationId: Uuid; body: AdjustmentRequest }; result: OrganizationBooking }
  /** Get the payout account of a developer */
  getPayoutAccount: { params: { organizationId: Uuid }; result: PayoutAccount }
  /** Open the payout account of a developer, or get a new link to complete the account */
  openPayoutAccount: { params: { organizationId: Uuid }; result: OpenedPayoutAccount }
  /** List the transfers to the payout account of a developer, newest first */
  listTransfers: { params: { organizationId: Uuid; start?: number; count?: number }; result: PayoutTransferList }
  /** Transfer the closing balance of a statement to the payout account, up to the amount owed now */
  orderTransfer: { params: { organizationId: Uuid; body: PayoutTransferRequest }; result: PayoutTransfer }
  /** Get the source of an organization's tax rates, and the rates by country and date */
  getTaxSettings: { params: { organizationId: Uuid }; result: TaxSettings }
  /** Choose the tax rates for new invoices of an organization */
  chooseTaxSource: { params: { organizationId: Uuid; body: TaxSettingsRequest }; result: TaxSettings }
  /** Set a tax rate of an organization from a date on. The rate applies if the source is OWN */
  setTaxRate: { params: { organizationId: Uuid; country: string; validFrom: string; body: TaxRateRequest }; result: TaxRate }
  /** Remove a tax rate of an organization */
  removeTaxRate: { params: { organizationId: Uuid; country: string; validFrom: string }; result: undefined }
  /** List the operator's tax rates by country, latest date first */
  listOperatorTaxRates: { params: {  }; result: TaxRateList }
  /** Set a tax rate of the operator from a date on */
  setOperatorTaxRate: { params: { country: string; validFrom: string; body: OperatorTaxRateRequest }; result: TaxRate }
  /** Remove a tax rate of the operator */
  removeOperatorTaxRate: { params: { country: string; validFrom: string }; result: undefined }
  /** List hooks in order of creation */
  listHooks: { params: { applicationId?: AppUrn; businessId?: Uuid; active?: boolean; limit?: number; after?: Uuid }; result: HookList }
  /** Register a hook. A repeated registration returns the existing hook with the new secret */
  registerHook: { params: { body: HookRequest }; result: Hook }
  /** Get a hook */
  getHook: { params: { hookId: Uuid }; result: Hook }
  /** Update a hook. Absent fields stay unchanged */
  updateHook: { params: { hookId: Uuid; body?: HookChanges }; result: ChangedHook }
  /** Delete a hook. Its waiting deliveries end as ERRORED */
  deleteHook: { params: { hookId: Uuid }; result: undefined }
  /** Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours */
  getHookHealth: { params: { hookId: Uuid; from?: string; to?: string }; result: HookHours }
  /** Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets */
  rotateHookSecret: { params: { hookId: Uuid; body?: RotateSecretRequest }; result: RotatedSecret }
  /** List the notifications of an app of the last 30 days, newest first */
  listAppDeliveries: { params: { appId: AppUrn; startAt?: string; endAt?: string; hookId?: Uuid; eventType?: "APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED" | "TEST"; resourceId?: Uuid; status?: "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"; limit?: number; after?: Uuid }; result: DeliveryList }
  /** Get a notification of an app with its delivery attempts */
  getAppDelivery: { params: { appId: AppUrn; deliveryId: Uuid }; result: Delivery }
  /** List the notifications about a merchant of the last 30 days, newest first */
  listBusinessDeliveries: { params: { businessId: Uuid; startAt?: string; endAt?: string; hookId?: Uuid; eventType?: "APPLICATION_SUBSCRIPTION_START" | "APPLICATION_SUBSCRIPTION_END" | "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS" | "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL" | "APPLICATION_SUBSCRIPTION_PHASE_CHANGE" | "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS" | "APPLICATION_SUBSCRIPTION_TRIAL_ENDING" | "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED" | "APPLICATION_SUBSCRIPTION_RESTORED" | "APPLICATION_SUBSCRIPTION_PLAN_CHANGE" | "APPLICATION_SUBSCRIPTION_TRANSFERRED" | "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED" | "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED" | "ORDER_OPENED" | "ORDER_COMPLETED" | "ORDER_CANCELLED" | "ORDER_UPDATED" | "TEST"; resourceId?: Uuid; status?: "SCHEDULED" | "ERRORED_RETRYING" | "DELIVERED" | "ERRORED"; limit?: number; after?: Uuid }; result: DeliveryList }
  /** Get a notification about a merchant with its delivery attempts */
  getBusinessDelivery: { params: { businessId: Uuid; deliveryId: Uuid }; result: Delivery }
  /** Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response */
  testHook: { params: { hookId: Uuid; body?: HookTestRequest }; result: HookTestResult }
  /** Revoke the approval of an app. Its tokens for the merchant end, and its waiting order notifications are dropped */
  revokeApproval: { params: { businessId: Uuid; appId: AppUrn }; result: undefined }
  /** Redeliver a notification of an app, with the same bytes and id */
  redeliverOfApp: { params: { appId: AppUrn; deliveryId: Uuid }; result: DeliverySummary }
  /** Redeliver a notification about a merchant, with the same bytes and id */
  redeliverOfBusiness: { params: { businessId: Uuid; deliveryId: Uuid }; result: DeliverySummary }
  /** Redeliver a range of notifications in the background */
  startRedelivery: { params: { appId: AppUrn; body?: RedeliveryRequest }; result: Redelivery }
  /** List the redeliveries of an app, newest first */
  listRedeliveries: { params: { appId: AppUrn; limit?: number; after?: Uuid }; result: RedeliveryList }
  /** Get the progress of a redelivery */
  getRedelivery: { params: { appId: AppUrn; redeliveryId: Uuid }; result: Redelivery }
  /** Cancel a redelivery. Notifications that are already queued are still sent */
  cancelRedelivery: { params: { appId: AppUrn; redeliveryId: Uuid }; result: Redelivery }
  /** Report up to 1,000 order events of any businesses, with one result per event */
  reportOrderEvents: { params: { body: OrderEvents }; result: OrderEventResults }
  /** Open an order at a terminal */
  openOrder: { params: { businessId: Uuid; body?: OrderRequest }; result: Order }
  /** Get an order. Every order event links here */
  getOrder: { params: { businessId: Uuid; orderId: Uuid }; result: Order }
  /** Edit, complete or cancel an open order */
  updateOrder: { params: { businessId: Uuid; orderId: Uuid; body?: OrderChanges }; result: Order }
  /** List the test clock of a test merchant */
  listTestClocks: { params: { businessId: Uuid }; result: TestClockList }
  /** Create a test clock for a test merchant */
  createTestClock: { params: { body: TestClockRequest }; result: TestClock }
  /** Get a test clock: its time, status and target */
  getTestClock: { params: { testClockId: Uuid }; result: TestClock }
  /** Delete a test clock. Its live subscriptions end, and the merchant returns to real time */
  deleteTestClock: { params: { testClockId: Uuid }; result: undefined }
  /** Advance a test clock. The response waits until all billing, charges and events up to the target are done */
  advanceTestClock: { params: { testClockId: Uuid; body: TestClockAdvance }; result: TestClock }
  /** Stop a test clock at its current time. A running advance returns the reached instant */
  freezeTestClock: { params: { testClockId: Uuid }; result: TestClock }
  /** List the changes made by requests, with the values before and after, newest first */
  listAudit: { params: { kind?: "BRAND" | "ORGANIZATION" | "ORGANIZATION_BOOKING" | "PAYOUT_ACCOUNT" | "PAYOUT_TRANSFER" | "SELLER" | "APP" | "APP_KEY" | "SIGNING_KEY" | "RELEASE" | "RELEASE_MESSAGE" | "NOTE" | "PLAN" | "BUSINESS" | "STORE" | "DEVICE" | "DEVICE_KEY" | "BUSINESS_USER" | "APPROVAL" | "INSTALLED_APP" | "APP_PERMISSIONS" | "PAYMENT_METHOD" | "SUBSCRIPTION" | "INVOICE" | "DISPUTE_EVIDENCE" | "CHARGE" | "REFUND" | "HOOK" | "REDELIVERY" | "APP_ENDING" | "CATCH_UP" | "TAX_SETTINGS" | "TAX_RATE" | "ORDER" | "PURCHASE" | "TEST_CLOCK" | "USER" | "MEMBERSHIP" | "VIEWING" | "INVITATION" | "SECOND_FACTOR"; resourceId?: string; principal?: string; startAt?: string; endAt?: string; limit?: number; after?: string }; result: AuditList }
  /** List the requests of an app's tokens in the last 7 days, newest first */
  listAppRequests: { params: { appId: AppUrn; method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; httpStatus?: string; requestId?: string; startAt?: string; endAt?: string; limit?: number; after?: Uuid }; result: ApiRequestList }
  /** Get the brand of pages, mails and documents */
  getBrand: { params: {  }; result: Brand }
  /** Set the brand, optionally with a logo. Absent fields are cleared; without a file the logo stays */
  changeBrand: { params: { body: BrandRequest }; result: Brand }
  /** Remove the logo. Pages then show the first letter of the name */
  removeLogo: { params: {  }; result: undefined }
  /** List the charges of the next days, assuming that every charge succeeds */
  listUpcomingCharges: { params: { days?: number; count?: number; after?: string }; result: Upcoming }
  /** List charges without an outcome: in progress, unknown, waiting or stuck */
  listUnsettledCharges: { params: { state?: "UNSETTLED" | "IN_FLIGHT" | "UNKNOWN" | "WAITING" | "STUCK"; count?: number; after?: Uuid }; result: UnsettledCharges }
  /** Poll a charge without an outcome now, instead of at `nextPollAt`. A charge with an outcome does not change */
  pollCharge: { params: { chargeId: Uuid }; result: UnsettledCharge }
  /** List refunds without an outcome: in progress or stuck */
  listUnsettledRefunds: { params: { state?: "UNSETTLED" | "STUCK"; count?: number; after?: Uuid }; result: UnsettledRefunds }
  /** List quarantined rows with their errors and next retries, most failures first */
  listQuarantined: { params: { count?: number }; result: QuarantinedList }
  /** Get recurring revenue, trial conversion, churn and recovery of a month, by currency */
  getRevenue: { params: { month?: string; currency?: string }; result: Revenue }
  /** Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days */
  getDailyRevenue: { params: { from?: string; to?: string; organizationId?: Uuid; appId?: AppUrn; planId?: Uuid; currency?: string; merchantType?: "MERCHANT" | "TEST_MERCHANT" }; result: DailyRevenue }
  /** Get current MRR and subscribers, and the payments and refunds of months, by currency and country */
  getRevenueByCountry: { params: { from?: string; to?: string; organizationId?: Uuid; appId?: AppUrn; currency?: string; merchantType?: "MERCHANT" | "TEST_MERCHANT" }; result: CountryRevenue }
  /** List the daily comparisons with the gateways' books, the open discrepancies, and the owed refunds */
  listReconciliations: { params: {  }; result: Reconciliations }
  /** Receive a signed event of a payment gateway. Each event is stored once and applied after the response */
  receiveGatewayEvent: { params: { gateway: string }; result: GatewayEventReceipt }
  /** Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check */
  runInvariantChecks: { params: { check?: "periodsContiguous" | "periodsBilled" | "chargedOnce" | "oneChargeObject" | "gatewayMatches" | "chargedInTime" | "ledgerBalances" | "totalsMatch" | "revenueMatches" | "revenueDaysMatch" | "revenueCountriesMatch" | "shareReturned" | "taxMatches" | "taxTotalsMatch" | "linesAddUp" | "creditMatches" | "creditWithinPaid" | "moneyMatches" | "refundsWithinPaid" | "disputesMatch" | "numbersWithoutGap" | "eventsOnce" | "eventsComplete" | "eventsInOrder" | "everythingScheduled" | "nothingOverdue" }; result: Checks }
  /** Get a user */
  getUser: { params: { userId: Uuid }; result: User }
  /** Disable a user and end all sessions, or enable the user again */
  changeUser: { params: { userId: Uuid; body: UserChange }; result: User }
  /** List the people of a business, an organization or the operator */
  listPeople: { params: { kind: "MERCHANT" | "DEVELOPER" | "OPERATOR"; organizationId?: Uuid; businessId?: Uuid }; result: People }
  /** Accept an invitation, with a new account or the existing account of the address */
  acceptInvitation: { params: { body: Acceptance }; result: Membership }
  /** Change the role of a person */
  changeRole: { params: { membershipId: Uuid; body: RoleChange }; result: Person }
  /** Remove a person from a workspace */
  removePerson: { params: { membershipId: Uuid }; result: undefined }
  /** List invitations, newest first */
  listInvitations: { params: { kind: "MERCHANT" | "DEVELOPER" | "OPERATOR"; organizationId?: Uuid; businessId?: Uuid }; result: InvitationList }
  /** Invite a person by mail */
  invite: { params: { body: InvitationRequest }; result: Invitation }
  /** Revoke an invitation */
  revokeInvitation: { params: { invitationId: Uuid }; result: undefined }
  /** List my sessions */
  listSessions: { params: {  }; result: SessionList }
  /** Sign in. The response has the bearer token of the session */
  signIn: { params: { body: SignIn }; result: OpenedSession }
  /** Get my current session and my memberships */
  getCurrentSession: { params: {  }; result: CurrentSession }
  /** Switch my session to another membership */
  chooseMembership: { params: { body: MembershipChoice }; result: CurrentSession }
  /** Sign out */
  signOut: { params: {  }; result: undefined }
  /** End one of my sessions */
  endSession: { params: { sessionId: Uuid }; result: undefined }
  /** Start a login that a person approves in the browser (RFC 8628) */
  startDeviceLogin: { params: {  }; result: DeviceLogin }
  /** Poll for the session of an approved login (RFC 8628) */
  pollDeviceLogin: { params: { body: DevicePoll }; result: OpenedSession }
  /** Get my account */
  getAccount: { params: {  }; result: Account }
  /** Change my name */
  changeAccount: { params: { body: AccountChange }; result: Account }
  /** Change my password and end my other sessions */
  changePassword: { params: { body: PasswordChange }; result: undefined }
  /** Create a secret for an authenticator app */
  setUpSecondFactor: { params: { body: SecondFactorRequest }; result: SecondFactor }
  /** Confirm the second factor with a first code. Later sign-ins require a code */
  confirmSecondFactor: { params: { body: SecondFactorConfirmation }; result: RecoveryCodes }
  /** Replace my recovery codes */
  renewRecoveryCodes: { params: { body: Confirmation }; result: RecoveryCodes }
  /** Remove my second factor */
  removeSecondFactor: { params: { body: Confirmation }; result: undefined }
  /** Send a password reset link to an address, if the address has an account */
  requestPasswordReset: { params: { body: PasswordResetRequest }; result: undefined }
  /** Set a new password with a reset link and end every session */
  completePasswordReset: { params: { body: PasswordResetCompletion }; result: undefined }
  /** List the terminal users of a business */
  listBusinessUsers: { params: { businessId: Uuid }; result: BusinessUserList }
  /** Create a user who signs in on the terminals of a business */
  createBusinessUser: { params: { businessId: Uuid; body: BusinessUserRequest }; result: BusinessUser }
  /** Update a terminal user. A new passcode or DISABLED ends the user's sessions */
  updateBusinessUser: { params: { businessId: Uuid; businessUserId: Uuid; body?: BusinessUserChanges }; result: BusinessUser }
  /** Remove a terminal user and end the user's sessions */
  removeBusinessUser: { params: { businessId: Uuid; businessUserId: Uuid }; result: undefined }
  /** Activate a terminal: exchange its code for a key */
  activateDevice: { params: { body: Activation }; result: ActivatedDevice }
  /** Close a terminal permanently. Its key, tokens and sessions end; its subscriptions continue */
  closeDevice: { params: { businessId: Uuid; deviceId: DeviceUrn }; result: undefined }
  /** Close a store and its terminals permanently. Subscriptions of the store must be moved or cancelled before */
  closeStore: { params: { businessId: Uuid; storeId: Uuid }; result: undefined }
  /** Get the name, developer and icon of an app for a terminal */
  getAppAtTerminal: { params: { packageName: string }; result: AppAtTerminal }
  /** Report that an app was installed or updated on this terminal. The terminal may then call for the app */
  reportInstalledApp: { params: { packageName: string; body: InstalledAppReport }; result: InstalledApp }
  /** Report that an app is not installed on this terminal */
  reportRemovedApp: { params: { packageName: string }; result: undefined }
  /** List the merchant's subscriptions to an app for this terminal */
  listSubscriptionsAtTerminal: { params: { packageName: string; status?: "PENDING" | "ACTIVE" | "ENDED" | "ALL"; start?: number; count?: number; after?: Uuid }; result: SubscriptionPage }
  /** Get a signed list of the merchant's active subscriptions to an app, for use without a connection */
  signSubscriptionsAtTerminal: { params: { packageName: string }; result: SignedSubscriptions }
  /** List the plans of an app with the merchant's prices */
  listPlansAtTerminal: { params: { packageName: string; status?: "INACTIVE" | "ACTIVE"; start?: number; count?: number }; result: PlanPage }
  /** Issue an access token to an app for the signed-in user, valid for an hour */
  issueUserToken: { params: { packageName: string }; result: UserToken }
  /** Open a purchase for the signed-in user and get the address of its screen */
  openPurchaseAtTerminal: { params: { packageName: string; body?: PurchaseRequest }; result: Purchase }
  /** Get a purchase of this terminal and its outcome */
  getPurchaseAtTerminal: { params: { purchaseId: Uuid }; result: Purchase }
  /** Cancel a purchase of this terminal */
  cancelPurchaseAtTerminal: { params: { purchaseId: Uuid }; result: Purchase }
  /** Approve permissions of an installed app for the merchant, as the signed-in manager */
  approvePermissionsAtTerminal: { params: { packageName: string; body: PermissionsApproval }; result: InstalledApp }
  /** List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed */
  searchTerminals: { params: { organizationId?: Uuid; appId?: AppUrn; businessId?: Uuid; storeId?: Uuid; status?: "NEW" | "ACTIVE" | "CLOSED"; merchantType?: "MERCHANT" | "TEST_MERCHANT"; q?: string; limit?: number; after?: Uuid }; result: TerminalList }
  /** Sign a user in on this terminal. The session ends after 15 idle minutes */
  signInAtTerminal: { params: { body: TerminalSignIn }; result: TerminalSession }
  /** Sign the user out of this terminal. Succeeds also if nobody is signed in */
  signOutAtTerminal: { params: {  }; result: undefined }
  /** Get the health of the process: queued and quarantined work */
  getHealth: { params: {  }; result: Health }
  /** Check whether the process is ready for requests */
  getReadiness: { params: {  }; result: Readiness }
  /** Get this document as OpenAPI 3.1 */
  getOpenApi: { params: {  }; result: Record<string, unknown> }
}


/** Method, path, and `keyed` if the operation takes an Idempotency-Key. */

export const ROUTES: Readonly<Record<keyof Operations, string>> = {
  revokeAppKey: 'DELETE /apps/{appId}/keys/{kid}',
  rotateSigningKey: 'POST /signing-keys/rotate',
  getKeySet: 'GET /.well-known/jwks.json',
  listOrganizations: 'GET /organizations',
  createOrganization: 'POST /organizations keyed',
  getOrganization: 'GET /organizations/{organizationId}',
  updateOrganization: 'PATCH /organizations/{organizationId}',
  getSeller: 'GET /organizations/{organizationId}/seller',
  nameSeller: 'PUT /organizations/{organizationId}/seller',
  listApps: 'GET /apps',
  createApp: 'POST /apps keyed',
  getApp: 'GET /apps/{appId}',
  updateApp: 'PATCH /apps/{appId}',
  addAppKey: 'POST /apps/{appId}/keys keyed',
  removeAppIcon: 'DELETE /apps/{appId}/icon',
  listReleases: 'GET /apps/{appId}/releases',
  submitRelease: 'POST /apps/{appId}/releases keyed',
  listAllReleases: 'GET /releases',
  getRelease: 'GET /apps/{appId}/releases/{releaseId}',
  approveRelease: 'POST /apps/{appId}/releases/{releaseId}/approve keyed',
  rejectRelease: 'POST /apps/{appId}/releases/{releaseId}/reject keyed',
  withdrawRelease: 'POST /apps/{appId}/releases/{releaseId}/withdraw keyed',
  writeReleaseMessage: 'POST /apps/{appId}/releases/{releaseId}/messages keyed',
  listPlans: 'GET /apps/{appId}/plans',
  retirePlan: 'POST /apps/{appId}/plans/{planId}/retire keyed',
  searchBusinesses: 'GET /businesses/search',
  findBusiness: 'GET /businesses',
  createBusiness: 'POST /businesses keyed',
  getBusiness: 'GET /businesses/{businessId}',
  updateBusiness: 'PATCH /businesses/{businessId}',
  addStore: 'POST /businesses/{businessId}/stores keyed',
  addDevice: 'POST /businesses/{businessId}/stores/{storeId}/devices keyed',
  renewActivationCode: 'POST /businesses/{businessId}/devices/{deviceId}/activation-code keyed',
  listApprovals: 'GET /businesses/{businessId}/approvals',
  approveApp: 'POST /businesses/{businessId}/approvals keyed',
  listSubscriptions: 'GET /apps/{appId}/subscriptions',
  subscribe: 'POST /apps/{appId}/subscriptions keyed',
  getSubscription: 'GET /apps/{appId}/subscriptions/{subscriptionId}',
  changeSubscription: 'PATCH /apps/{appId}/subscriptions/{subscriptionId}',
  cancelSubscription: 'DELETE /apps/{appId}/subscriptions/{subscriptionId}',
  restoreSubscription: 'POST /apps/{appId}/subscriptions/{subscriptionId}/restore keyed',
  endSubscription: 'POST /apps/{appId}/subscriptions/{subscriptionId}/end keyed',
  previewPlanChange: 'POST /apps/{appId}/subscriptions/{subscriptionId}/preview',
  getPurchase: 'GET /apps/{appId}/purchases/{purchaseId}',
  listInvoices: 'GET /businesses/{businessId}/invoices',
  getInvoice: 'GET /businesses/{businessId}/invoices/{invoiceId}',
  searchSubscriptions: 'GET /subscriptions/search',
  searchInvoices: 'GET /invoices',
  searchCharges: 'GET /charges',
  searchDisputes: 'GET /disputes',
  getDispute: 'GET /disputes/{disputeId}',
  sendEvidence: 'POST /disputes/{disputeId}/evidence keyed',
  refundInvoice: 'POST /businesses/{businessId}/invoices/{invoiceId}/refunds keyed',
  disputeInvoice: 'PUT /businesses/{businessId}/invoices/{invoiceId}/test-dispute',
  payInvoice: 'POST /businesses/{businessId}/invoices/{invoiceId}/pay keyed',
  listPaymentMethods: 'GET /businesses/{businessId}/payment-methods',
  addPaymentMethod: 'POST /businesses/{businessId}/payment-methods keyed',
  beginPaymentMethod: 'POST /businesses/{businessId}/payment-methods/setup keyed',
  setDefaultPaymentMethod: 'PUT /businesses/{businessId}/payment-methods/{paymentMethodId}/default',
  removePaymentMethod: 'DELETE /businesses/{businessId}/payment-methods/{paymentMethodId}',
  endAppSubscriptions: 'POST /apps/{appId}/endings keyed',
  getAppEnding: 'GET /apps/{appId}/endings/{endingId}',
  getCatchUp: 'GET /operations/catch-up',
  decideCatchUp: 'POST /operations/catch-up keyed',
  getOrganizationBalance: 'GET /organizations/{organizationId}/balance',
  listStatements: 'GET /organizations/{organizationId}/statements',
  getStatement: 'GET /organizations/{organizationId}/statements/{month}',
  getBusinessBalance: 'GET /businesses/{businessId}/balance',
  getOperatorBalance: 'GET /operator/balance',
  getTaxReport: 'GET /reports/tax/{month}',
  listPayouts: 'GET /organizations/{organizationId}/payouts',
  bookPayout: 'POST /organizations/{organizationId}/payouts keyed',
  bookAdjustment: 'POST /organizations/{organizationId}/adjustments keyed',
  getPayoutAccount: 'GET /organizations/{organizationId}/payout-account',
  openPayoutAccount: 'POST /organizations/{organizationId}/payout-account keyed',
  listTransfers: 'GET /organizations/{organizationId}/transfers',
  orderTransfer: 'POST /organizations/{organizationId}/transfers keyed',
  getTaxSettings: 'GET /organizations/{organizationId}/tax',
  chooseTaxSource: 'PUT /organizations/{organizationId}/tax',
  setTaxRate: 'PUT /organizations/{organizationId}/tax-rates/{country}/{validFrom}',
  removeTaxRate: 'DELETE /organizations/{organizationId}/tax-rates/{country}/{validFrom}',
  listOperatorTaxRates: 'GET /tax-rates',
  setOperatorTaxRate: 'PUT /tax-rates/{country}/{validFrom}',
  removeOperatorTaxRate: 'DELETE /tax-rates/{country}/{validFrom}',
  listHooks: 'GET /hooks',
  registerHook: 'POST /hooks',
  getHook: 'GET /hooks/{hookId}',
  updateHook: 'PATCH /hooks/{hookId}',
  deleteHook: 'DELETE /hooks/{hookId}',
  getHookHealth: 'GET /hooks/{hookId}/health',
  rotateHookSecret: 'POST /hooks/{hookId}/rotate-secret keyed',
  listAppDeliveries: 'GET /apps/{appId}/deliveries',
  getAppDelivery: 'GET /apps/{appId}/deliveries/{deliveryId}',
  listBusinessDeliveries: 'GET /businesses/{businessId}/deliveries',
  getBusinessDelivery: 'GET /businesses/{businessId}/deliveries/{deliveryId}',
  testHook: 'POST /hooks/{hookId}/test keyed',
  revokeApproval: 'DELETE /businesses/{businessId}/approvals/{appId}',
  redeliverOfApp: 'POST /apps/{appId}/deliveries/{deliveryId}/redeliver keyed',
  redeliverOfBusiness: 'POST /businesses/{businessId}/deliveries/{deliveryId}/redeliver keyed',
  startRedelivery: 'POST /apps/{appId}/deliveries/redeliver keyed',
  listRedeliveries: 'GET /apps/{appId}/deliveries/redeliveries',
  getRedelivery: 'GET /apps/{appId}/deliveries/redeliveries/{redeliveryId}',
  cancelRedelivery: 'DELETE /apps/{appId}/deliveries/redeliveries/{redeliveryId}',
  reportOrderEvents: 'POST /orders/events',
  openOrder: 'POST /businesses/{businessId}/orders keyed',
  getOrder: 'GET /businesses/{businessId}/orders/{orderId}',
  updateOrder: 'PATCH /businesses/{businessId}/orders/{orderId}',
  listTestClocks: 'GET /test-clocks',
  createTestClock: 'POST /test-clocks keyed',
  getTestClock: 'GET /test-clocks/{testClockId}',
  deleteTestClock: 'DELETE /test-clocks/{testClockId}',
  advanceTestClock: 'POST /test-clocks/{testClockId}/advance',
  freezeTestClock: 'POST /test-clocks/{testClockId}/freeze keyed',
  listAudit: 'GET /audit',
  listAppRequests: 'GET /apps/{appId}/requests',
  getBrand: 'GET /brand',
  changeBrand: 'PUT /brand',
  removeLogo: 'DELETE /brand/logo',
  listUpcomingCharges: 'GET /operations/upcoming',
  listUnsettledCharges: 'GET /operations/charges',
  pollCharge: 'POST /operations/charges/{chargeId}/poll keyed',
  listUnsettledRefunds: 'GET /operations/refunds',
  listQuarantined: 'GET /operations/quarantined',
  getRevenue: 'GET /reports/revenue',
  getDailyRevenue: 'GET /reports/revenue/daily',
  getRevenueByCountry: 'GET /reports/revenue/countries',
  listReconciliations: 'GET /reconciliations',
  receiveGatewayEvent: 'POST /gateways/{gateway}/events',
  runInvariantChecks: 'GET /operations/checks',
  getUser: 'GET /users/{userId}',
  changeUser: 'PATCH /users/{userId}',
  listPeople: 'GET /memberships',
  acceptInvitation: 'POST /memberships keyed',
  changeRole: 'PATCH /memberships/{membershipId}',
  removePerson: 'DELETE /memberships/{membershipId}',
  listInvitations: 'GET /invitations',
  invite: 'POST /invitations keyed',
  revokeInvitation: 'DELETE /invitations/{invitationId}',
  listSessions: 'GET /sessions',
  signIn: 'POST /sessions',
  getCurrentSession: 'GET /sessions/current',
  chooseMembership: 'PATCH /sessions/current',
  signOut: 'DELETE /sessions/current',
  endSession: 'DELETE /sessions/{sessionId}',
  startDeviceLogin: 'POST /device-logins',
  pollDeviceLogin: 'POST /device-logins/token',
  getAccount: 'GET /users/current',
  changeAccount: 'PATCH /users/current',
  changePassword: 'POST /users/current/password keyed',
  setUpSecondFactor: 'POST /users/current/second-factor keyed',
  confirmSecondFactor: 'POST /users/current/second-factor/confirm keyed',
  renewRecoveryCodes: 'POST /users/current/second-factor/recovery-codes keyed',
  removeSecondFactor: 'POST /users/current/second-factor/remove keyed',
  requestPasswordReset: 'POST /password-resets keyed',
  completePasswordReset: 'POST /password-resets/complete keyed',
  listBusinessUsers: 'GET /businesses/{businessId}/users',
  createBusinessUser: 'POST /businesses/{businessId}/users keyed',
  updateBusinessUser: 'PATCH /businesses/{businessId}/users/{businessUserId}',
  removeBusinessUser: 'DELETE /businesses/{businessId}/users/{businessUserId}',
  activateDevice: 'POST /devices/activate keyed',
  closeDevice: 'DELETE /businesses/{businessId}/devices/{deviceId}',
  closeStore: 'DELETE /businesses/{businessId}/stores/{storeId}',
  getAppAtTerminal: 'GET /terminal/apps/{packageName}',
  reportInstalledApp: 'PUT /terminal/apps/{packageName}',
  reportRemovedApp: 'DELETE /terminal/apps/{packageName}',
  listSubscriptionsAtTerminal: 'GET /terminal/apps/{packageName}/subscriptions',
  signSubscriptionsAtTerminal: 'GET /terminal/apps/{packageName}/subscriptions/signed',
  listPlansAtTerminal: 'GET /terminal/apps/{packageName}/plans',
  issueUserToken: 'POST /terminal/apps/{packageName}/token',
  openPurchaseAtTerminal: 'POST /terminal/apps/{packageName}/purchases keyed',
  getPurchaseAtTerminal: 'GET /terminal/purchases/{purchaseId}',
  cancelPurchaseAtTerminal: 'DELETE /terminal/purchases/{purchaseId}',
  approvePermissionsAtTerminal: 'POST /terminal/apps/{packageName}/approval keyed',
  searchTerminals: 'GET /terminals',
  signInAtTerminal: 'POST /terminal/sessions',
  signOutAtTerminal: 'DELETE /terminal/sessions/current',
  getHealth: 'GET /healthz',
  getReadiness: 'GET /readyz',
  getOpenApi: 'GET /openapi.json',
}
