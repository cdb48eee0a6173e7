# Generated from contract/openapi.json by `npm run print`.
# ruff: noqa
from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Union

from typing_extensions import NotRequired, TypeAlias, TypedDict

Uuid: TypeAlias = "str"

AppUrn: TypeAlias = "str"

DeviceUrn: TypeAlias = "str"

Timestamp: TypeAlias = "str"

Link = TypedDict("Link", {
    "href": "str",
    "rel": "str",
    "method": "str",
})

TokenRequest = TypedDict("TokenRequest", {
    "grantType": "str",
    "assertion": "NotRequired[str]",
    "refreshToken": "NotRequired[str]",
    "code": "NotRequired[str]",
    "clientId": "NotRequired[str]",
    "redirectUri": "NotRequired[str]",
    "codeVerifier": "NotRequired[str]",
})

Tokens = TypedDict("Tokens", {
    "accessToken": "str",
    "refreshToken": "str",
    "expiresIn": "int",
    "scope": "Literal[\"ALL\"]",
    "tokenType": "Literal[\"BEARER\"]",
})

Revocation = TypedDict("Revocation", {
    "token": "str",
    "token_type_hint": "NotRequired[str]",
})

KeySet = TypedDict("KeySet", {
    "keys": "List[Dict[str, Any]]",
})

SigningKey = TypedDict("SigningKey", {
    "kid": "str",
})

SignIn = TypedDict("SignIn", {
    "email": "str",
    "password": "str",
    "totp": "NotRequired[str]",
    "recoveryCode": "NotRequired[str]",
    "membershipId": "NotRequired[Uuid]",
})

OpenedSession = TypedDict("OpenedSession", {
    "token": "str",
    "sessionId": "Uuid",
    "isCurrent": "bool",
    "membership": "Membership",
    "isMfaVerified": "bool",
    "address": "str",
    "agent": "str",
    "createdAt": "Timestamp",
    "usedAt": "Timestamp",
    "expiresAt": "Timestamp",
    "user": "Dict[str, Any]",
    "memberships": "List[Membership]",
})

DeviceLogin = TypedDict("DeviceLogin", {
    "deviceCode": "str",
    "userCode": "str",
    "verificationUri": "str",
    "verificationUriComplete": "str",
    "expiresIn": "int",
    "interval": "int",
})

DevicePoll = TypedDict("DevicePoll", {
    "deviceCode": "str",
})

CurrentSession = TypedDict("CurrentSession", {
    "sessionId": "Uuid",
    "isCurrent": "bool",
    "membership": "Membership",
    "isMfaVerified": "bool",
    "address": "str",
    "agent": "str",
    "createdAt": "Timestamp",
    "usedAt": "Timestamp",
    "expiresAt": "Timestamp",
    "user": "Dict[str, Any]",
    "memberships": "List[Membership]",
})

Session = TypedDict("Session", {
    "sessionId": "Uuid",
    "isCurrent": "bool",
    "membership": "Membership",
    "isMfaVerified": "bool",
    "address": "str",
    "agent": "str",
    "createdAt": "Timestamp",
    "usedAt": "Timestamp",
    "expiresAt": "Timestamp",
})

SessionList = TypedDict("SessionList", {
    "list": "List[Session]",
})

MembershipChoice = TypedDict("MembershipChoice", {
    "membershipId": "Uuid",
})

Membership = TypedDict("Membership", {
    "membershipId": "Uuid",
    "kind": "Literal[\"MERCHANT\", \"DEVELOPER\", \"OPERATOR\"]",
    "organizationId": "NotRequired[Uuid]",
    "businessId": "NotRequired[Uuid]",
    "workspaceName": "NotRequired[str]",
    "role": "Literal[\"OWNER\", \"ADMIN\", \"MANAGER\", \"MEMBER\", \"VIEWER\"]",
})

Person = TypedDict("Person", {
    "membershipId": "Uuid",
    "userId": "Uuid",
    "name": "str",
    "email": "str",
    "status": "Literal[\"ACTIVE\", \"DISABLED\"]",
    "role": "Literal[\"OWNER\", \"ADMIN\", \"MANAGER\", \"MEMBER\", \"VIEWER\"]",
    "createdAt": "Timestamp",
})

People = TypedDict("People", {
    "list": "List[Person]",
})

RoleChange = TypedDict("RoleChange", {
    "role": "Literal[\"OWNER\", \"ADMIN\", \"MANAGER\", \"MEMBER\", \"VIEWER\"]",
})

InvitationRequest = TypedDict("InvitationRequest", {
    "kind": "Literal[\"MERCHANT\", \"DEVELOPER\", \"OPERATOR\"]",
    "organizationId": "NotRequired[Uuid]",
    "businessId": "NotRequired[Uuid]",
    "email": "str",
    "role": "Literal[\"OWNER\", \"ADMIN\", \"MANAGER\", \"MEMBER\", \"VIEWER\"]",
})

Invitation = TypedDict("Invitation", {
    "invitationId": "Uuid",
    "kind": "Literal[\"MERCHANT\", \"DEVELOPER\", \"OPERATOR\"]",
    "organizationId": "NotRequired[Uuid]",
    "businessId": "NotRequired[Uuid]",
    "email": "str",
    "role": "Literal[\"OWNER\", \"ADMIN\", \"MANAGER\", \"MEMBER\", \"VIEWER\"]",
    "status": "Literal[\"PENDING\", \"ACCEPTED\", \"REVOKED\", \"EXPIRED\"]",
    "createdAt": "Timestamp",
    "expiresAt": "Timestamp",
})

InvitationList = TypedDict("InvitationList", {
    "list": "List[Invitation]",
})

Acceptance = TypedDict("Acceptance", {
    "secret": "str",
    "name": "NotRequired[str]",
    "password": "str",
})

User = TypedDict("User", {
    "userId": "Uuid",
    "email": "str",
    "name": "str",
    "status": "Literal[\"ACTIVE\", \"DISABLED\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

UserChange = TypedDict("UserChange", {
    "status": "Literal[\"ACTIVE\", \"DISABLED\"]",
    "force": "NotRequired[bool]",
})

Account = TypedDict("Account", {
    "userId": "Uuid",
    "email": "str",
    "name": "str",
    "hasSecondFactor": "bool",
    "recoveryCodesLeft": "int",
})

AccountChange = TypedDict("AccountChange", {
    "name": "str",
})

PasswordChange = TypedDict("PasswordChange", {
    "password": "str",
    "newPassword": "str",
})

SecondFactorRequest = TypedDict("SecondFactorRequest", {
    "password": "str",
})

SecondFactor = TypedDict("SecondFactor", {
    "secret": "str",
    "otpauthUri": "str",
    "qrCode": "str",
})

SecondFactorConfirmation = TypedDict("SecondFactorConfirmation", {
    "totp": "str",
})

RecoveryCodes = TypedDict("RecoveryCodes", {
    "recoveryCodes": "List[str]",
})

Confirmation = TypedDict("Confirmation", {
    "password": "str",
    "totp": "NotRequired[str]",
    "recoveryCode": "NotRequired[str]",
})

PasswordResetRequest = TypedDict("PasswordResetRequest", {
    "email": "str",
})

PasswordResetCompletion = TypedDict("PasswordResetCompletion", {
    "secret": "str",
    "newPassword": "str",
})

Plan = TypedDict("Plan", {
    "planId": "Uuid",
    "appId": "AppUrn",
    "name": "str",
    "description": "str",
    "amounts": "List[Dict[str, Any]]",
    "amount": "int",
    "interval": "Literal[\"DAY\", \"WEEK\", \"MONTH\", \"YEAR\"]",
    "intervalCount": "int",
    "trialPeriodDays": "int",
    "trialEligibility": "Literal[\"ALWAYS\", \"ONCE_PER_BUSINESS\"]",
    "startPolicy": "Literal[\"IMMEDIATE\"]",
    "cancelPolicy": "Literal[\"IMMEDIATE\", \"BILLING\"]",
    "gracePeriodDays": "int",
    "scope": "Literal[\"BUSINESS\", \"STORE\", \"DEVICE\"]",
    "status": "Literal[\"INACTIVE\", \"ACTIVE\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

PlanPage = TypedDict("PlanPage", {
    "list": "List[Plan]",
    "start": "int",
    "total": "int",
    "count": "int",
})

SubscriptionRequest = TypedDict("SubscriptionRequest", {
    "businessId": "Uuid",
    "planId": "Uuid",
    "storeId": "NotRequired[Uuid]",
    "deviceId": "NotRequired[DeviceUrn]",
    "paymentMethodId": "NotRequired[Uuid]",
})

Subscription = TypedDict("Subscription", {
    "subscriptionId": "Uuid",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "planId": "Uuid",
    "bundleId": "Uuid",
    "phase": "Literal[\"TRIAL\", \"FULL\"]",
    "status": "Literal[\"PENDING\", \"ACTIVE\", \"ENDED\"]",
    "startAt": "Timestamp",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "storeId": "NotRequired[Uuid]",
    "deviceId": "NotRequired[DeviceUrn]",
    "trialEndAt": "NotRequired[Timestamp]",
    "currentPeriodStart": "Timestamp",
    "currentPeriodEnd": "Timestamp",
    "nextChargeAt": "NotRequired[Timestamp]",
    "cancelAt": "NotRequired[Timestamp]",
    "endedAt": "NotRequired[Timestamp]",
    "endReason": "NotRequired[Literal[\"CANCELLED\", \"DISPUTED\", \"NON_PAYMENT\", \"NOT_STARTED\", \"OPERATOR\"]]",
    "paymentStatus": "Literal[\"CURRENT\", \"PAST_DUE\"]",
    "pendingPlanId": "NotRequired[Uuid]",
    "actionUrl": "NotRequired[str]",
})

SubscriptionPage = TypedDict("SubscriptionPage", {
    "list": "List[Subscription]",
    "start": "int",
    "total": "int",
    "count": "int",
    "next": "NotRequired[str]",
})

SubscriptionChange = TypedDict("SubscriptionChange", {
    "planId": "NotRequired[Uuid]",
    "when": "NotRequired[Literal[\"NOW\", \"PERIOD_END\"]]",
    "storeId": "NotRequired[Uuid]",
    "deviceId": "NotRequired[DeviceUrn]",
})

PlanChange = TypedDict("PlanChange", {
    "planId": "Uuid",
    "when": "Literal[\"NOW\", \"PERIOD_END\"]",
})

PlanChangePreview = TypedDict("PlanChangePreview", {
    "effectiveAt": "Timestamp",
    "currency": "str",
    "amount": "int",
    "lines": "List[InvoiceLine]",
    "creditGranted": "int",
    "creditBalance": "int",
    "tax": "NotRequired[InvoiceTax]",
})

TaxRate = TypedDict("TaxRate", {
    "country": "str",
    "validFrom": "str",
    "behavior": "Literal[\"INCLUSIVE\", \"EXCLUSIVE\", \"NONE\"]",
    "name": "str",
    "rate": "str",
    "byAddress": "NotRequired[bool]",
})

TaxRateRequest = TypedDict("TaxRateRequest", {
    "behavior": "Literal[\"INCLUSIVE\", \"EXCLUSIVE\", \"NONE\"]",
    "name": "str",
    "rate": "str",
})

OperatorTaxRateRequest = TypedDict("OperatorTaxRateRequest", {
    "behavior": "Literal[\"INCLUSIVE\", \"EXCLUSIVE\", \"NONE\"]",
    "name": "str",
    "rate": "str",
    "byAddress": "NotRequired[bool]",
})

TaxRateList = TypedDict("TaxRateList", {
    "list": "List[TaxRate]",
})

TaxSettings = TypedDict("TaxSettings", {
    "organizationId": "Uuid",
    "source": "Literal[\"OPERATOR\", \"OWN\", \"NONE\"]",
    "rates": "List[TaxRate]",
})

TaxSettingsRequest = TypedDict("TaxSettingsRequest", {
    "source": "Literal[\"OPERATOR\", \"OWN\", \"NONE\"]",
})

InvoiceTax = TypedDict("InvoiceTax", {
    "name": "str",
    "behavior": "Literal[\"INCLUSIVE\", \"EXCLUSIVE\"]",
    "rate": "str",
    "net": "int",
    "tax": "int",
    "gross": "int",
    "reverseCharge": "bool",
    "rateSource": "NotRequired[Literal[\"ADDRESS\", \"FALLBACK\"]]",
    "jurisdictions": "NotRequired[List[Dict[str, Any]]]",
    "sellerTaxId": "NotRequired[str]",
    "buyerTaxId": "NotRequired[str]",
})

InvoiceLine = TypedDict("InvoiceLine", {
    "kind": "Literal[\"PLAN\", \"CREDIT\"]",
    "description": "str",
    "amount": "int",
    "net": "NotRequired[int]",
    "tax": "NotRequired[int]",
    "taxRate": "NotRequired[str]",
    "periodStart": "Timestamp",
    "periodEnd": "Timestamp",
})

Invoice = TypedDict("Invoice", {
    "invoiceId": "Uuid",
    "number": "str",
    "businessId": "Uuid",
    "appId": "AppUrn",
    "subscriptionId": "Uuid",
    "planId": "Uuid",
    "status": "Literal[\"OPEN\", \"PAID\", \"UNCOLLECTIBLE\", \"VOID\"]",
    "currency": "str",
    "country": "str",
    "amount": "int",
    "creditApplied": "int",
    "amountPaid": "int",
    "amountRefunded": "int",
    "amountChargedBack": "NotRequired[int]",
    "lines": "List[InvoiceLine]",
    "tax": "NotRequired[InvoiceTax]",
    "attempts": "List[Dict[str, Any]]",
    "refunds": "List[Refund]",
    "creditNotes": "NotRequired[List[Dict[str, Any]]]",
    "disputes": "NotRequired[List[Dispute]]",
    "periodStart": "Timestamp",
    "periodEnd": "Timestamp",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

InvoicePage = TypedDict("InvoicePage", {
    "list": "List[Invoice]",
    "start": "int",
    "total": "int",
    "count": "int",
})

NamedSubscription = TypedDict("NamedSubscription", {
    "subscriptionId": "Uuid",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "planId": "Uuid",
    "bundleId": "Uuid",
    "phase": "Literal[\"TRIAL\", \"FULL\"]",
    "status": "Literal[\"PENDING\", \"ACTIVE\", \"ENDED\"]",
    "startAt": "Timestamp",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "storeId": "NotRequired[Uuid]",
    "deviceId": "NotRequired[DeviceUrn]",
    "trialEndAt": "NotRequired[Timestamp]",
    "currentPeriodStart": "Timestamp",
    "currentPeriodEnd": "Timestamp",
    "nextChargeAt": "NotRequired[Timestamp]",
    "cancelAt": "NotRequired[Timestamp]",
    "endedAt": "NotRequired[Timestamp]",
    "endReason": "NotRequired[Literal[\"CANCELLED\", \"DISPUTED\", \"NON_PAYMENT\", \"NOT_STARTED\", \"OPERATOR\"]]",
    "paymentStatus": "Literal[\"CURRENT\", \"PAST_DUE\"]",
    "pendingPlanId": "NotRequired[Uuid]",
    "actionUrl": "NotRequired[str]",
    "appName": "str",
    "businessName": "str",
    "planName": "str",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "currency": "str",
    "amount": "int",
})

SubscriptionList = TypedDict("SubscriptionList", {
    "subscriptions": "List[NamedSubscription]",
    "links": "List[Link]",
})

ListedInvoice = TypedDict("ListedInvoice", {
    "invoiceId": "Uuid",
    "number": "str",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "appName": "str",
    "businessName": "str",
    "subscriptionId": "Uuid",
    "planId": "Uuid",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "status": "Literal[\"OPEN\", \"PAID\", \"UNCOLLECTIBLE\", \"VOID\"]",
    "currency": "str",
    "amount": "int",
    "amountPaid": "int",
    "amountRefunded": "int",
    "amountChargedBack": "int",
    "periodStart": "Timestamp",
    "periodEnd": "Timestamp",
    "createdAt": "Timestamp",
})

InvoiceList = TypedDict("InvoiceList", {
    "invoices": "List[ListedInvoice]",
    "links": "List[Link]",
})

ListedCharge = TypedDict("ListedCharge", {
    "chargeId": "Uuid",
    "invoiceId": "Uuid",
    "invoiceNumber": "str",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "appName": "str",
    "businessName": "str",
    "subscriptionId": "Uuid",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "currency": "str",
    "amount": "int",
    "status": "Literal[\"IN_FLIGHT\", \"PENDING\", \"ACTION_REQUIRED\", \"UNKNOWN\", \"SUCCEEDED\", \"DECLINED_SOFT\", \"DECLINED_HARD\", \"WITHDRAWN\"]",
    "reason": "NotRequired[str]",
    "startedAt": "Timestamp",
    "settledAt": "NotRequired[Timestamp]",
})

ChargeList = TypedDict("ChargeList", {
    "charges": "List[ListedCharge]",
    "links": "List[Link]",
})

ListedDispute = TypedDict("ListedDispute", {
    "disputeId": "Uuid",
    "invoiceId": "Uuid",
    "invoiceNumber": "str",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "appName": "str",
    "businessName": "str",
    "subscriptionId": "Uuid",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "currency": "str",
    "amount": "int",
    "status": "Literal[\"OPEN\", \"LOST\", \"WON\"]",
    "evidenceDueAt": "NotRequired[str]",
    "evidenceSentAt": "NotRequired[Timestamp]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

DisputeList = TypedDict("DisputeList", {
    "disputes": "List[ListedDispute]",
    "links": "List[Link]",
})

RefundRequest = TypedDict("RefundRequest", {
    "amount": "NotRequired[int]",
    "reason": "NotRequired[str]",
})

PayInvoiceRequest = TypedDict("PayInvoiceRequest", {
    "paymentMethodId": "NotRequired[Uuid]",
})

DisputeRequest = TypedDict("DisputeRequest", {
    "status": "Literal[\"OPEN\", \"LOST\", \"WON\"]",
})

Dispute = TypedDict("Dispute", {
    "disputeId": "Uuid",
    "amount": "int",
    "status": "Literal[\"OPEN\", \"LOST\", \"WON\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

EvidenceRequest = TypedDict("EvidenceRequest", {
    "productDescription": "NotRequired[str]",
    "customerCommunication": "NotRequired[str]",
    "uncategorizedText": "NotRequired[str]",
})

AnsweredDispute = TypedDict("AnsweredDispute", {
    "disputeId": "Uuid",
    "businessId": "Uuid",
    "status": "Literal[\"OPEN\", \"LOST\", \"WON\"]",
    "evidenceDueAt": "NotRequired[str]",
    "evidence": "NotRequired[Dict[str, Any]]",
    "evidenceSentAt": "NotRequired[Timestamp]",
})

Refund = TypedDict("Refund", {
    "refundId": "Uuid",
    "amount": "int",
    "reason": "NotRequired[str]",
    "status": "Literal[\"PENDING\", \"SUCCEEDED\", \"FAILED\"]",
    "createdAt": "Timestamp",
})

HookRequest = TypedDict("HookRequest", {
    "applicationId": "AppUrn",
    "businessId": "NotRequired[Uuid]",
    "deliveryUrl": "str",
    "secret": "str",
    "eventTypes": "List[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\"]]",
})

EventStreamMessage = TypedDict("EventStreamMessage", {
    "id": "NotRequired[str]",
    "event": "Literal[\"stream\", \"notification\"]",
    "data": "str",
    "retry": "NotRequired[int]",
})

RotateSecretRequest = TypedDict("RotateSecretRequest", {
    "secret": "NotRequired[str]",
})

Hook = TypedDict("Hook", {
    "id": "Uuid",
    "applicationId": "AppUrn",
    "businessId": "NotRequired[Uuid]",
    "deliveryUrl": "str",
    "secret": "str",
    "eventTypes": "List[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\"]]",
    "active": "bool",
    "disabledReason": "NotRequired[Literal[\"gone\", \"failing\"]]",
    "health": "NotRequired[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

ChangedHook = TypedDict("ChangedHook", {
    "id": "Uuid",
    "applicationId": "AppUrn",
    "businessId": "NotRequired[Uuid]",
    "deliveryUrl": "str",
    "secret": "str",
    "eventTypes": "List[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\"]]",
    "active": "bool",
    "disabledReason": "NotRequired[Literal[\"gone\", \"failing\"]]",
    "health": "NotRequired[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "redeliveryId": "NotRequired[Uuid]",
})

RotatedSecret = TypedDict("RotatedSecret", {
    "id": "Uuid",
    "applicationId": "AppUrn",
    "businessId": "NotRequired[Uuid]",
    "deliveryUrl": "str",
    "secret": "str",
    "eventTypes": "List[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\"]]",
    "active": "bool",
    "disabledReason": "NotRequired[Literal[\"gone\", \"failing\"]]",
    "health": "NotRequired[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "previousSecretUntil": "Timestamp",
})

HookChanges = TypedDict("HookChanges", {
    "deliveryUrl": "NotRequired[str]",
    "secret": "NotRequired[str]",
    "eventTypes": "NotRequired[List[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\"]]]",
    "active": "NotRequired[bool]",
    "resendMissed": "NotRequired[bool]",
})

HookHours = TypedDict("HookHours", {
    "hookId": "Uuid",
    "hours": "List[Dict[str, Any]]",
})

HookList = TypedDict("HookList", {
    "hooks": "List[Hook]",
    "links": "List[Link]",
})

HookTestRequest = TypedDict("HookTestRequest", {
    "eventType": "NotRequired[Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\", \"TEST\"]]",
})

HookTestResult = TypedDict("HookTestResult", {
    "deliveryId": "Uuid",
    "acknowledged": "bool",
    "at": "Timestamp",
    "durationMs": "int",
    "httpStatus": "NotRequired[int]",
    "reason": "NotRequired[str]",
    "answer": "str",
})

Notification = TypedDict("Notification", {
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "links": "List[Link]",
    "id": "Uuid",
    "deviceId": "NotRequired[DeviceUrn]",
    "hookId": "Uuid",
    "applicationId": "AppUrn",
    "resource": "str",
    "resourceId": "Uuid",
    "eventType": "Literal[\"APPLICATION_SUBSCRIPTION_START\", \"APPLICATION_SUBSCRIPTION_END\", \"APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS\", \"APPLICATION_SUBSCRIPTION_PAYMENT_FAIL\", \"APPLICATION_SUBSCRIPTION_PHASE_CHANGE\", \"APPLICATION_SUBSCRIPTION_REFUND_SUCCESS\", \"APPLICATION_SUBSCRIPTION_TRIAL_ENDING\", \"APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED\", \"APPLICATION_SUBSCRIPTION_RESTORED\", \"APPLICATION_SUBSCRIPTION_PLAN_CHANGE\", \"APPLICATION_SUBSCRIPTION_TRANSFERRED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_OPENED\", \"APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED\", \"ORDER_OPENED\", \"ORDER_COMPLETED\", \"ORDER_CANCELLED\", \"ORDER_UPDATED\", \"TEST\"]",
    "merchantType": "NotRequired[Literal[\"MERCHANT\", \"TEST_MERCHANT\"]]",
    "businessId": "Uuid",
    "storeId": "NotRequired[Uuid]",
})

Delivery = TypedDict("Delivery", {
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "links": "List[Link]",
    "id": "Uuid",
    "deviceId": "NotRequired[DeviceUrn]",
    "hookId": "Uuid",
    "applicationId": "AppUrn",
    "resource": "str",
    "resourceId": "Uuid",
    "eventType": "str",
    "merchantType": "NotRequired[str]",
    "businessId": "Uuid",
    "storeId": "NotRequired[Uuid]",
    "status": "Literal[\"SCHEDULED\", \"ERRORED_RETRYING\", \"DELIVERED\", \"ERRORED\"]",
    "reason": "NotRequired[str]",
    "attempt": "int",
    "deliveryUrl": "str",
    "nextAttemptAt": "NotRequired[Timestamp]",
    "attempts": "List[Dict[str, Any]]",
    "hasEarlierAttempts": "NotRequired[bool]",
})

DeliverySummary = TypedDict("DeliverySummary", {
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "links": "List[Link]",
    "id": "Uuid",
    "deviceId": "NotRequired[DeviceUrn]",
    "hookId": "Uuid",
    "applicationId": "AppUrn",
    "resource": "str",
    "resourceId": "Uuid",
    "eventType": "str",
    "merchantType": "NotRequired[str]",
    "businessId": "Uuid",
    "storeId": "NotRequired[Uuid]",
    "status": "Literal[\"SCHEDULED\", \"ERRORED_RETRYING\", \"DELIVERED\", \"ERRORED\"]",
    "reason": "NotRequired[str]",
    "attempt": "int",
    "deliveryUrl": "str",
    "nextAttemptAt": "NotRequired[Timestamp]",
})

DeliveryList = TypedDict("DeliveryList", {
    "deliveries": "List[DeliverySummary]",
    "links": "List[Link]",
})

CatchUpDecision = TypedDict("CatchUpDecision", {
    "decision": "Literal[\"RELEASE\", \"SPREAD\", \"WAIVE\"]",
    "spreadDays": "NotRequired[int]",
})

CatchUp = TypedDict("CatchUp", {
    "outageFrom": "Timestamp",
    "outageUntil": "Timestamp",
    "state": "Literal[\"WAITING\", \"RELEASED\", \"SPREAD\", \"WAIVED\"]",
    "goesOnAt": "str",
    "decidedAt": "NotRequired[Timestamp]",
    "spreadDays": "NotRequired[int]",
})

CatchUpReport = TypedDict("CatchUpReport", {
    "catchUp": "NotRequired[Dict[str, Any]]",
    "dryRun": "List[Dict[str, Any]]",
    "isCut": "bool",
})

AppEndingRequest = TypedDict("AppEndingRequest", {
    "refundUnused": "bool",
})

AppEnding = TypedDict("AppEnding", {
    "endingId": "Uuid",
    "appId": "AppUrn",
    "refundUnused": "bool",
    "state": "Literal[\"RUNNING\", \"DONE\", \"STOPPED\"]",
    "progress": "Dict[str, Any]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

RedeliveryRequest = TypedDict("RedeliveryRequest", {
    "startAt": "NotRequired[str]",
    "since": "NotRequired[str]",
    "endAt": "NotRequired[str]",
    "businessId": "NotRequired[Uuid]",
    "hookId": "NotRequired[Uuid]",
    "status": "NotRequired[Literal[\"SCHEDULED\", \"ERRORED_RETRYING\", \"DELIVERED\", \"ERRORED\"]]",
})

Redelivery = TypedDict("Redelivery", {
    "redeliveryId": "Uuid",
    "applicationId": "AppUrn",
    "businessId": "NotRequired[Uuid]",
    "hookId": "NotRequired[Uuid]",
    "status": "NotRequired[Literal[\"SCHEDULED\", \"ERRORED_RETRYING\", \"DELIVERED\", \"ERRORED\"]]",
    "startAt": "Timestamp",
    "endAt": "Timestamp",
    "undeliveredSince": "NotRequired[str]",
    "state": "Literal[\"RUNNING\", \"DONE\", \"CANCELLED\"]",
    "progress": "Dict[str, Any]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

RedeliveryList = TypedDict("RedeliveryList", {
    "redeliveries": "List[Redelivery]",
    "links": "List[Link]",
})

BusinessRequest = TypedDict("BusinessRequest", {
    "legalName": "str",
    "emailAddress": "str",
    "country": "str",
    "type": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "organizationId": "NotRequired[Uuid]",
    "billingEmail": "NotRequired[str]",
    "taxId": "NotRequired[str]",
    "language": "NotRequired[Literal[\"en\", \"de\", \"fr\", \"es\"]]",
    "mailsOff": "NotRequired[List[Literal[\"RECEIPT\", \"CARD_EXPIRING\", \"RESTORED\", \"REFUND\"]]]",
    "doingBusinessAs": "NotRequired[str]",
    "phone": "NotRequired[Dict[str, Any]]",
    "address": "NotRequired[Dict[str, Any]]",
    "timezone": "NotRequired[str]",
})

BusinessChanges = TypedDict("BusinessChanges", {
    "legalName": "NotRequired[str]",
    "emailAddress": "NotRequired[str]",
    "country": "NotRequired[str]",
    "billingEmail": "NotRequired[str]",
    "taxId": "NotRequired[str]",
    "language": "NotRequired[Literal[\"en\", \"de\", \"fr\", \"es\"]]",
    "mailsOff": "NotRequired[List[Literal[\"RECEIPT\", \"CARD_EXPIRING\", \"RESTORED\", \"REFUND\"]]]",
    "doingBusinessAs": "NotRequired[str]",
    "phone": "NotRequired[Dict[str, Any]]",
    "address": "NotRequired[Dict[str, Any]]",
    "timezone": "NotRequired[str]",
})

Business = TypedDict("Business", {
    "businessId": "Uuid",
    "id": "Uuid",
    "legalName": "str",
    "doingBusinessAs": "str",
    "emailAddress": "str",
    "phone": "NotRequired[Dict[str, Any]]",
    "address": "NotRequired[Dict[str, Any]]",
    "country": "str",
    "timezone": "str",
    "type": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "organizationId": "NotRequired[Uuid]",
    "status": "Literal[\"ACTIVE\", \"CLOSED\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "billingEmail": "NotRequired[str]",
    "taxId": "NotRequired[str]",
    "taxIdStatus": "NotRequired[Literal[\"UNVERIFIED\", \"VALID\", \"INVALID\"]]",
    "language": "NotRequired[Literal[\"en\", \"de\", \"fr\", \"es\"]]",
    "mailsOff": "NotRequired[List[Literal[\"RECEIPT\", \"CARD_EXPIRING\", \"RESTORED\", \"REFUND\"]]]",
    "stores": "List[Dict[str, Any]]",
})

BusinessSummary = TypedDict("BusinessSummary", {
    "businessId": "Uuid",
    "id": "Uuid",
    "legalName": "str",
    "doingBusinessAs": "str",
    "emailAddress": "str",
    "phone": "NotRequired[Dict[str, Any]]",
    "address": "NotRequired[Dict[str, Any]]",
    "country": "str",
    "timezone": "str",
    "type": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "organizationId": "NotRequired[Uuid]",
    "status": "Literal[\"ACTIVE\", \"CLOSED\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

BusinessList = TypedDict("BusinessList", {
    "businesses": "List[BusinessSummary]",
    "links": "List[Link]",
})

Terminal = TypedDict("Terminal", {
    "deviceId": "DeviceUrn",
    "businessId": "Uuid",
    "businessName": "str",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "storeId": "Uuid",
    "storeName": "str",
    "name": "str",
    "serialNumber": "str",
    "status": "Literal[\"NEW\", \"ACTIVE\", \"CLOSED\"]",
    "lastSeenAt": "NotRequired[Timestamp]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

TerminalList = TypedDict("TerminalList", {
    "terminals": "List[Terminal]",
    "links": "List[Link]",
})

StoreRequest = TypedDict("StoreRequest", {
    "displayName": "str",
})

Store = TypedDict("Store", {
    "storeId": "Uuid",
    "displayName": "str",
    "status": "Literal[\"ACTIVE\", \"CLOSED\"]",
    "devices": "List[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "businessId": "Uuid",
})

DeviceRequest = TypedDict("DeviceRequest", {
    "name": "str",
    "serialNumber": "str",
})

Device = TypedDict("Device", {
    "deviceId": "DeviceUrn",
    "name": "str",
    "serialNumber": "str",
    "status": "Literal[\"NEW\", \"ACTIVE\", \"CLOSED\"]",
    "lastSeenAt": "NotRequired[Timestamp]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "businessId": "Uuid",
    "storeId": "Uuid",
    "activationCode": "str",
    "activationExpiresAt": "Timestamp",
})

ActivationCode = TypedDict("ActivationCode", {
    "deviceId": "DeviceUrn",
    "activationCode": "str",
    "activationExpiresAt": "Timestamp",
})

Activation = TypedDict("Activation", {
    "activationCode": "str",
    "publicKey": "Union[str, Dict[str, Any]]",
})

ActivatedDevice = TypedDict("ActivatedDevice", {
    "deviceId": "DeviceUrn",
    "businessId": "Uuid",
    "storeId": "Uuid",
    "name": "str",
    "kid": "str",
})

BusinessUserRequest = TypedDict("BusinessUserRequest", {
    "userId": "str",
    "passcode": "str",
    "name": "str",
    "role": "Literal[\"MANAGER\", \"CLERK\"]",
})

BusinessUserChanges = TypedDict("BusinessUserChanges", {
    "passcode": "NotRequired[str]",
    "name": "NotRequired[str]",
    "role": "NotRequired[Literal[\"MANAGER\", \"CLERK\"]]",
    "status": "NotRequired[Literal[\"ACTIVE\", \"DISABLED\"]]",
})

BusinessUser = TypedDict("BusinessUser", {
    "businessUserId": "Uuid",
    "businessId": "Uuid",
    "userId": "str",
    "name": "str",
    "role": "Literal[\"MANAGER\", \"CLERK\"]",
    "status": "Literal[\"ACTIVE\", \"DISABLED\"]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

BusinessUserList = TypedDict("BusinessUserList", {
    "list": "List[BusinessUser]",
    "start": "int",
    "total": "int",
    "count": "int",
})

TerminalSignIn = TypedDict("TerminalSignIn", {
    "userId": "str",
    "passcode": "str",
})

TerminalSession = TypedDict("TerminalSession", {
    "sessionToken": "str",
    "user": "BusinessUser",
    "expiresAt": "Timestamp",
})

UserToken = TypedDict("UserToken", {
    "accessToken": "str",
    "expiresIn": "int",
    "scope": "Literal[\"ALL\"]",
    "tokenType": "Literal[\"BEARER\"]",
})

PurchaseRequest = TypedDict("PurchaseRequest", {
    "planId": "NotRequired[Uuid]",
    "replace": "NotRequired[bool]",
    "restore": "NotRequired[bool]",
    "subscriptionId": "NotRequired[Uuid]",
})

Purchase = TypedDict("Purchase", {
    "purchaseId": "Uuid",
    "appId": "AppUrn",
    "businessId": "Uuid",
    "kind": "Literal[\"SUBSCRIBE\", \"REPLACE\", \"RESTORE\"]",
    "planId": "Uuid",
    "subscriptionId": "NotRequired[Uuid]",
    "status": "Literal[\"OPEN\", \"COMPLETED\", \"CANCELLED\", \"EXPIRED\"]",
    "url": "NotRequired[str]",
    "payment": "NotRequired[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "expiresAt": "Timestamp",
})

SubscriptionOrPurchase: TypeAlias = "Union[Subscription, Purchase]"

ApprovalRequest = TypedDict("ApprovalRequest", {
    "appId": "AppUrn",
    "rights": "NotRequired[List[Literal[\"READ\", \"SUBSCRIBE\"]]]",
})

Approval = TypedDict("Approval", {
    "appId": "AppUrn",
    "businessId": "Uuid",
    "rights": "List[Literal[\"READ\", \"SUBSCRIBE\"]]",
    "approvedAt": "Timestamp",
})

ApprovalList = TypedDict("ApprovalList", {
    "list": "List[Approval]",
    "start": "int",
    "total": "int",
    "count": "int",
})

PaymentMethodRequest = TypedDict("PaymentMethodRequest", {
    "gateway": "Literal[\"sandbox\", \"stripe\"]",
    "token": "str",
})

PaymentMethod = TypedDict("PaymentMethod", {
    "paymentMethodId": "Uuid",
    "businessId": "Uuid",
    "gateway": "Literal[\"sandbox\", \"stripe\"]",
    "label": "str",
    "card": "NotRequired[Dict[str, Any]]",
    "default": "bool",
    "createdAt": "Timestamp",
})

PaymentMethodList = TypedDict("PaymentMethodList", {
    "list": "List[PaymentMethod]",
    "start": "int",
    "total": "int",
    "count": "int",
})

PaymentMethodSetupRequest = TypedDict("PaymentMethodSetupRequest", {
    "gateway": "Literal[\"sandbox\", \"stripe\"]",
})

PaymentMethodSetup = TypedDict("PaymentMethodSetup", {
    "gateway": "Literal[\"sandbox\", \"stripe\"]",
    "clientSecret": "str",
    "publishableKey": "NotRequired[str]",
})

OrderEvents = TypedDict("OrderEvents", {
    "events": "List[Dict[str, Any]]",
})

OrderEventResults = TypedDict("OrderEventResults", {
    "succeeded": "int",
    "failed": "int",
    "results": "List[Dict[str, Any]]",
})

OrderRequest = TypedDict("OrderRequest", {
    "storeId": "NotRequired[Uuid]",
    "deviceId": "NotRequired[DeviceUrn]",
    "amount": "NotRequired[int]",
    "currency": "NotRequired[str]",
    "reference": "NotRequired[str]",
    "note": "NotRequired[str]",
})

OrderChanges = TypedDict("OrderChanges", {
    "status": "NotRequired[Literal[\"OPENED\", \"COMPLETED\", \"CANCELLED\"]]",
    "amount": "NotRequired[int]",
    "currency": "NotRequired[str]",
    "reference": "NotRequired[str]",
    "note": "NotRequired[str]",
})

Order = TypedDict("Order", {
    "orderId": "Uuid",
    "businessId": "Uuid",
    "storeId": "Uuid",
    "deviceId": "DeviceUrn",
    "status": "Literal[\"OPENED\", \"COMPLETED\", \"CANCELLED\"]",
    "amount": "NotRequired[int]",
    "currency": "NotRequired[str]",
    "reference": "NotRequired[str]",
    "note": "NotRequired[str]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

AppRequest = TypedDict("AppRequest", {
    "organizationId": "Uuid",
    "name": "str",
    "packageName": "str",
    "callbackUrls": "NotRequired[List[str]]",
    "publicKey": "NotRequired[Union[str, Dict[str, Any]]]",
})

AppChanges = TypedDict("AppChanges", {
    "name": "NotRequired[str]",
    "callbackUrls": "NotRequired[List[str]]",
    "status": "NotRequired[Literal[\"ACTIVE\", \"DISABLED\"]]",
})

App = TypedDict("App", {
    "appId": "AppUrn",
    "organizationId": "Uuid",
    "name": "str",
    "packageName": "str",
    "callbackUrls": "List[str]",
    "status": "Literal[\"ACTIVE\", \"DISABLED\"]",
    "disabledBy": "NotRequired[Literal[\"DEVELOPER\", \"OPERATOR\"]]",
    "icon": "NotRequired[Dict[str, Any]]",
    "keys": "List[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
    "kid": "NotRequired[str]",
    "privateKey": "NotRequired[str]",
})

AppList = TypedDict("AppList", {
    "apps": "List[App]",
    "links": "List[Link]",
})

AppAtTerminal = TypedDict("AppAtTerminal", {
    "appId": "AppUrn",
    "packageName": "str",
    "name": "str",
    "developerName": "str",
    "icon": "NotRequired[Dict[str, Any]]",
    "approvedApk": "NotRequired[Dict[str, Any]]",
})

InstalledAppReport = TypedDict("InstalledAppReport", {
    "version": "str",
    "signerSha256": "str",
    "permissions": "List[str]",
})

InstalledApp = TypedDict("InstalledApp", {
    "appId": "AppUrn",
    "packageName": "str",
    "version": "str",
    "signerSha256": "str",
    "permissions": "List[str]",
    "permissionsToApprove": "List[str]",
    "installedAt": "Timestamp",
    "updatedAt": "Timestamp",
})

PermissionsApproval = TypedDict("PermissionsApproval", {
    "permissions": "List[str]",
})

SignedSubscriptions = TypedDict("SignedSubscriptions", {
    "jws": "str",
    "expiresAt": "Timestamp",
})

AppKeyRequest = TypedDict("AppKeyRequest", {
    "publicKey": "NotRequired[Union[str, Dict[str, Any]]]",
})

AppKey = TypedDict("AppKey", {
    "kid": "str",
    "createdAt": "Timestamp",
    "privateKey": "NotRequired[str]",
})

ReleaseRequest = TypedDict("ReleaseRequest", {
    "version": "str",
    "plans": "List[Dict[str, Any]]",
    "notes": "NotRequired[str]",
    "packageKind": "NotRequired[Literal[\"APK\", \"OTHER\"]]",
})

Rejection = TypedDict("Rejection", {
    "reason": "str",
})

ReleaseMessageRequest = TypedDict("ReleaseMessageRequest", {
    "text": "str",
})

Release = TypedDict("Release", {
    "releaseId": "Uuid",
    "appId": "AppUrn",
    "version": "str",
    "status": "Literal[\"SUBMITTED\", \"APPROVED\", \"REJECTED\", \"WITHDRAWN\"]",
    "notes": "NotRequired[str]",
    "reason": "NotRequired[str]",
    "package": "NotRequired[Dict[str, Any]]",
    "createdAt": "Timestamp",
    "decidedAt": "NotRequired[Timestamp]",
    "plans": "List[Plan]",
    "messages": "List[Dict[str, Any]]",
})

ReleasePage = TypedDict("ReleasePage", {
    "list": "List[Dict[str, Any]]",
    "start": "int",
    "total": "int",
    "count": "int",
})

ReleaseList = TypedDict("ReleaseList", {
    "releases": "List[Dict[str, Any]]",
    "links": "List[Link]",
})

OrganizationRequest = TypedDict("OrganizationRequest", {
    "name": "str",
    "email": "str",
})

OrganizationChanges = TypedDict("OrganizationChanges", {
    "name": "NotRequired[str]",
    "email": "NotRequired[str]",
})

Organization = TypedDict("Organization", {
    "organizationId": "Uuid",
    "name": "str",
    "email": "str",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

OrganizationList = TypedDict("OrganizationList", {
    "organizations": "List[Organization]",
    "links": "List[Link]",
})

OrganizationBalance = TypedDict("OrganizationBalance", {
    "organizationId": "Uuid",
    "balances": "List[Dict[str, Any]]",
    "testBalances": "List[Dict[str, Any]]",
})

PayoutRequest = TypedDict("PayoutRequest", {
    "amount": "int",
    "currency": "str",
    "reference": "str",
})

AdjustmentRequest = TypedDict("AdjustmentRequest", {
    "kind": "Literal[\"FEE\", \"ADJUSTMENT\"]",
    "amount": "int",
    "currency": "str",
    "reason": "str",
})

OrganizationBooking = TypedDict("OrganizationBooking", {
    "bookingId": "Uuid",
    "organizationId": "Uuid",
    "kind": "Literal[\"FEE\", \"PAYOUT\", \"ADJUSTMENT\"]",
    "amount": "int",
    "currency": "str",
    "reference": "str",
    "createdAt": "Timestamp",
    "owed": "int",
})

OrganizationBookingList = TypedDict("OrganizationBookingList", {
    "list": "List[Dict[str, Any]]",
    "start": "int",
    "total": "int",
    "count": "int",
})

PayoutAccount = TypedDict("PayoutAccount", {
    "organizationId": "Uuid",
    "accountId": "NotRequired[str]",
    "status": "Literal[\"NONE\", \"PENDING\", \"READY\"]",
})

OpenedPayoutAccount = TypedDict("OpenedPayoutAccount", {
    "organizationId": "Uuid",
    "accountId": "str",
    "status": "Literal[\"PENDING\", \"READY\"]",
    "onboardingUrl": "str",
})

PayoutTransferRequest = TypedDict("PayoutTransferRequest", {
    "month": "str",
    "currency": "str",
})

PayoutTransfer = TypedDict("PayoutTransfer", {
    "transferId": "Uuid",
    "organizationId": "Uuid",
    "month": "str",
    "currency": "str",
    "amount": "int",
    "status": "Literal[\"PENDING\", \"SUCCEEDED\", \"FAILED\"]",
    "providerTransferId": "NotRequired[str]",
    "failure": "NotRequired[str]",
    "amountReversed": "int",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

PayoutTransferList = TypedDict("PayoutTransferList", {
    "list": "List[PayoutTransfer]",
    "start": "int",
    "total": "int",
    "count": "int",
})

BrandRequest = TypedDict("BrandRequest", {
    "name": "str",
    "accent": "NotRequired[str]",
    "supportUrl": "NotRequired[str]",
    "termsUrl": "NotRequired[str]",
    "privacyUrl": "NotRequired[str]",
    "imprintUrl": "NotRequired[str]",
    "mailName": "NotRequired[str]",
})

Brand = TypedDict("Brand", {
    "name": "str",
    "accent": "NotRequired[str]",
    "supportUrl": "NotRequired[str]",
    "termsUrl": "NotRequired[str]",
    "privacyUrl": "NotRequired[str]",
    "imprintUrl": "NotRequired[str]",
    "mailName": "NotRequired[str]",
    "logo": "NotRequired[Dict[str, Any]]",
})

SellerRequest = TypedDict("SellerRequest", {
    "legalName": "str",
    "address": "NotRequired[Dict[str, Any]]",
    "taxId": "NotRequired[str]",
})

Seller = TypedDict("Seller", {
    "legalName": "str",
    "address": "NotRequired[Dict[str, Any]]",
    "taxId": "NotRequired[str]",
    "organizationId": "Uuid",
    "createdAt": "Timestamp",
})

BusinessBalance = TypedDict("BusinessBalance", {
    "businessId": "Uuid",
    "balances": "List[Dict[str, Any]]",
})

OperatorBalance = TypedDict("OperatorBalance", {
    "balances": "List[Dict[str, Any]]",
    "testBalances": "List[Dict[str, Any]]",
})

StatementList = TypedDict("StatementList", {
    "list": "List[Dict[str, Any]]",
})

Statement = TypedDict("Statement", {
    "organizationId": "Uuid",
    "month": "str",
    "status": "Literal[\"OPEN\", \"CLOSED\"]",
    "list": "List[Dict[str, Any]]",
})

TaxReport = TypedDict("TaxReport", {
    "month": "str",
    "status": "Literal[\"OPEN\", \"CLOSED\"]",
    "list": "List[Dict[str, Any]]",
    "provider": "NotRequired[List[Dict[str, Any]]]",
})

Upcoming = TypedDict("Upcoming", {
    "days": "List[Dict[str, Any]]",
    "list": "List[Dict[str, Any]]",
    "count": "int",
    "next": "NotRequired[str]",
})

CountryRevenue = TypedDict("CountryRevenue", {
    "from": "str",
    "to": "NotRequired[str]",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "list": "List[Dict[str, Any]]",
})

DailyRevenue = TypedDict("DailyRevenue", {
    "from": "str",
    "to": "str",
    "merchantType": "Literal[\"MERCHANT\", \"TEST_MERCHANT\"]",
    "list": "List[Dict[str, Any]]",
})

Revenue = TypedDict("Revenue", {
    "month": "str",
    "list": "List[Dict[str, Any]]",
})

TestClockRequest = TypedDict("TestClockRequest", {
    "businessId": "Uuid",
    "now": "str",
})

TestClockAdvance = TypedDict("TestClockAdvance", {
    "to": "str",
})

TestClock = TypedDict("TestClock", {
    "testClockId": "Uuid",
    "businessId": "Uuid",
    "now": "Timestamp",
    "status": "Literal[\"READY\", \"ADVANCING\"]",
    "to": "NotRequired[Timestamp]",
    "createdAt": "Timestamp",
    "updatedAt": "Timestamp",
})

TestClockList = TypedDict("TestClockList", {
    "list": "List[TestClock]",
})

ApiRequest = TypedDict("ApiRequest", {
    "at": "Timestamp",
    "requestId": "str",
    "method": "str",
    "route": "str",
    "status": "int",
    "durationMs": "int",
    "businessId": "NotRequired[Uuid]",
    "businessUserId": "NotRequired[Uuid]",
})

ApiRequestList = TypedDict("ApiRequestList", {
    "requests": "List[ApiRequest]",
    "links": "List[Link]",
})

AuditList = TypedDict("AuditList", {
    "entries": "List[Dict[str, Any]]",
    "links": "List[Link]",
})

Reconciliations = TypedDict("Reconciliations", {
    "reconciliations": "List[Dict[str, Any]]",
    "discrepancies": "List[Dict[str, Any]]",
    "owedRefunds": "List[Dict[str, Any]]",
})

UnsettledCharge = TypedDict("UnsettledCharge", {
    "chargeId": "Uuid",
    "subscriptionId": "Uuid",
    "status": "Literal[\"IN_FLIGHT\", \"PENDING\", \"ACTION_REQUIRED\", \"UNKNOWN\", \"SUCCEEDED\", \"DECLINED_SOFT\", \"DECLINED_HARD\", \"WITHDRAWN\"]",
    "reason": "NotRequired[str]",
    "waitsUntil": "NotRequired[Timestamp]",
    "gateway": "NotRequired[str]",
    "invoiceId": "Uuid",
    "businessId": "Uuid",
    "businessName": "str",
    "amount": "int",
    "currency": "str",
    "startedAt": "Timestamp",
    "pollCount": "int",
    "nextPollAt": "NotRequired[Timestamp]",
    "quarantined": "NotRequired[Dict[str, Any]]",
})

UnsettledCharges = TypedDict("UnsettledCharges", {
    "list": "List[UnsettledCharge]",
    "next": "NotRequired[Uuid]",
})

UnsettledRefunds = TypedDict("UnsettledRefunds", {
    "list": "List[Dict[str, Any]]",
    "next": "NotRequired[Uuid]",
})

QuarantinedList = TypedDict("QuarantinedList", {
    "list": "List[Dict[str, Any]]",
})

Checks = TypedDict("Checks", {
    "checkedAt": "Timestamp",
    "checks": "List[Dict[str, Any]]",
})

GatewayEventReceipt = TypedDict("GatewayEventReceipt", {
    "received": "bool",
})

Health = TypedDict("Health", {
    "status": "Literal[\"ok\", \"degraded\"]",
    "version": "str",
    "database": "Literal[\"up\", \"down\"]",
    "waiting": "NotRequired[Dict[str, Any]]",
})

Readiness = TypedDict("Readiness", {
    "status": "Literal[\"ready\", \"database_down\"]",
})

ApiError = TypedDict("ApiError", {
    "code": "Literal[\"MISSING_PARAMETER\", \"INVALID_PARAMETER\", \"INVALID_REQUEST\", \"INVALID_URL_PATTERN\", \"INVALID_ACCESS_TOKEN\", \"INVALID_REFRESH_TOKEN\", \"INVALID_ASSERTION\", \"INVALID_AUTHORIZATION_CODE\", \"AUTHORIZATION_PENDING\", \"SLOW_DOWN\", \"EXPIRED_TOKEN\", \"ACCESS_DENIED\", \"INVALID_USER_SESSION\", \"INVALID_PASSCODE\", \"INVALID_CREDENTIALS\", \"FORBIDDEN\", \"READ_ONLY_VIEWING\", \"FORM_EXPIRED\", \"APPLICATION_NOT_FOUND\", \"ORGANIZATION_NOT_FOUND\", \"RELEASE_NOT_FOUND\", \"PLAN_NOT_FOUND\", \"SUBSCRIPTION_NOT_FOUND\", \"INVOICE_NOT_FOUND\", \"DISPUTE_NOT_FOUND\", \"BUSINESS_NOT_FOUND\", \"STORE_NOT_FOUND\", \"DEVICE_NOT_FOUND\", \"HOOK_NOT_FOUND\", \"DELIVERY_NOT_FOUND\", \"REDELIVERY_NOT_FOUND\", \"ORDER_NOT_FOUND\", \"CHARGE_NOT_FOUND\", \"PAYMENT_METHOD_NOT_FOUND\", \"TEST_CLOCK_NOT_FOUND\", \"KEY_NOT_FOUND\", \"USER_NOT_FOUND\", \"PURCHASE_NOT_FOUND\", \"MEMBERSHIP_NOT_FOUND\", \"INVITATION_NOT_FOUND\", \"SESSION_NOT_FOUND\", \"PASSWORD_RESET_NOT_FOUND\", \"DEVICE_LOGIN_NOT_FOUND\", \"RESOURCE_NOT_FOUND\", \"METHOD_NOT_ALLOWED\", \"REQUEST_ID_DUPLICATE\", \"REQUEST_IN_PROGRESS\", \"ACTIVATION_CODE_INVALID\", \"STORE_IN_USE\", \"USER_ID_TAKEN\", \"PURCHASE_CLOSED\", \"TOO_MANY_PURCHASES\", \"APPLICATION_DISABLED\", \"ALREADY_SUBSCRIBED\", \"ALREADY_ENDED\", \"NOT_SCHEDULED_TO_CANCEL\", \"CANCEL_SCHEDULED\", \"SAME_PLAN\", \"PLAN_INCOMPATIBLE\", \"PAYMENT_DUE\", \"CHARGE_IN_PROGRESS\", \"PAYMENT_METHOD_REQUIRED\", \"PAYMENT_DECLINED\", \"PAYMENT_METHOD_DECLINED\", \"PAYMENT_METHOD_IN_USE\", \"INVOICE_NOT_OPEN\", \"GATEWAY_NOT_CONFIGURED\", \"GATEWAY_NOT_FOR_BUSINESS\", \"PLAN_NOT_SOLD_IN_COUNTRY\", \"PLAN_RETIRED\", \"APPLICATION_NOT_DISABLED\", \"ENDING_IN_PROGRESS\", \"NO_CATCH_UP\", \"PACKAGE_NAME_TAKEN\", \"RELEASE_ALREADY_DECIDED\", \"DRAFT_CHANGED\", \"VERSION_CODE_TOO_LOW\", \"SIGNER_CHANGED\", \"RELEASE_NOT_APPROVED\", \"APPLICATION_NOT_INSTALLED\", \"PERMISSIONS_NOT_APPROVED\", \"TOO_MANY_PLANS\", \"TOO_MANY_KEYS\", \"TOO_MANY_HOOKS\", \"HOOK_EXISTS\", \"HOOK_INACTIVE\", \"APPROVAL_REQUIRED\", \"APPROVAL_REVOKED\", \"TEST_SENT_ONCE\", \"TOO_MANY_REDELIVERIES\", \"INVOICE_NOT_PAID\", \"REFUND_EXCEEDS_PAID\", \"DISPUTE_DECIDED\", \"EVIDENCE_SENT\", \"EVIDENCE_PAST_DUE\", \"EVIDENCE_REJECTED\", \"PAYOUT_EXCEEDS_OWED\", \"REFERENCE_BOOKED\", \"TRANSFERS_NOT_CONFIGURED\", \"PAYOUT_ACCOUNT_NOT_READY\", \"ORDER_CLOSED\", \"ORDER_EXISTS\", \"NOT_A_TEST_MERCHANT\", \"TEST_CLOCK_EXISTS\", \"TEST_CLOCK_TOO_LATE\", \"TEST_CLOCK_ADVANCING\", \"ACCOUNT_EXISTS\", \"ALREADY_MEMBER\", \"LAST_ADMIN\", \"SECOND_FACTOR_REQUIRED\", \"SECOND_FACTOR_REJECTED\", \"SECOND_FACTOR_EXISTS\", \"SECOND_FACTOR_MISSING\", \"QUOTA_EXCEEDED\", \"TOO_MANY_REQUESTS\", \"UNSUPPORTED_MEDIA_TYPE\", \"PAYLOAD_TOO_LARGE\", \"HEADERS_TOO_LARGE\", \"INTERNAL_ERROR\", \"SERVICE_UNAVAILABLE\"]",
    "httpStatus": "int",
    "message": "str",
    "developerMessage": "str",
    "requestId": "str",
    "fields": "NotRequired[List[Dict[str, Any]]]",
    "error": "NotRequired[str]",
    "error_description": "NotRequired[str]",
})

#: Method, path, and "keyed" if the operation takes an Idempotency-Key.
ROUTES: Dict[str, str] = {
    "revokeAppKey": "DELETE /apps/{appId}/keys/{kid}",
    "rotateSigningKey": "POST /signing-keys/rotate",
    "getKeySet": "GET /.well-known/jwks.json",
    "listOrganizations": "GET /organizations",
    "createOrganization": "POST /organizations keyed",
    "getOrganization": "GET /organizations/{organizationId}",
    "updateOrganization": "PATCH /organizations/{organizationId}",
    "getSeller": "GET /organizations/{organizationId}/seller",
    "nameSeller": "PUT /organizations/{organizationId}/seller",
    "listApps": "GET /apps",
    "createApp": "POST /apps keyed",
    "getApp": "GET /apps/{appId}",
    "updateApp": "PATCH /apps/{appId}",
    "addAppKey": "POST /apps/{appId}/keys keyed",
    "removeAppIcon": "DELETE /apps/{appId}/icon",
    "listReleases": "GET /apps/{appId}/releases",
    "submitRelease": "POST /apps/{appId}/releases keyed",
    "listAllReleases": "GET /releases",
    "getRelease": "GET /apps/{appId}/releases/{releaseId}",
    "approveRelease": "POST /apps/{appId}/releases/{releaseId}/approve keyed",
    "rejectRelease": "POST /apps/{appId}/releases/{releaseId}/reject keyed",
    "withdrawRelease": "POST /apps/{appId}/releases/{releaseId}/withdraw keyed",
    "writeReleaseMessage": "POST /apps/{appId}/releases/{releaseId}/messages keyed",
    "listPlans": "GET /apps/{appId}/plans",
    "retirePlan": "POST /apps/{appId}/plans/{planId}/retire keyed",
    "searchBusinesses": "GET /businesses/search",
    "findBusiness": "GET /businesses",
    "createBusiness": "POST /businesses keyed",
    "getBusiness": "GET /businesses/{businessId}",
    "updateBusiness": "PATCH /businesses/{businessId}",
    "addStore": "POST /businesses/{businessId}/stores keyed",
    "addDevice": "POST /businesses/{businessId}/stores/{storeId}/devices keyed",
    "renewActivationCode": "POST /businesses/{businessId}/devices/{deviceId}/activation-code keyed",
    "listApprovals": "GET /businesses/{businessId}/approvals",
    "approveApp": "POST /businesses/{businessId}/approvals keyed",
    "listSubscriptions": "GET /apps/{appId}/subscriptions",
    "subscribe": "POST /apps/{appId}/subscriptions keyed",
    "getSubscription": "GET /apps/{appId}/subscriptions/{subscriptionId}",
    "changeSubscription": "PATCH /apps/{appId}/subscriptions/{subscriptionId}",
    "cancelSubscription": "DELETE /apps/{appId}/subscriptions/{subscriptionId}",
    "restoreSubscription": "POST /apps/{appId}/subscriptions/{subscriptionId}/restore keyed",
    "endSubscription": "POST /apps/{appId}/subscriptions/{subscriptionId}/end keyed",
    "previewPlanChange": "POST /apps/{appId}/subscriptions/{subscriptionId}/preview",
    "getPurchase": "GET /apps/{appId}/purchases/{purchaseId}",
    "listInvoices": "GET /businesses/{businessId}/invoices",
    "getInvoice": "GET /businesses/{businessId}/invoices/{invoiceId}",
    "searchSubscriptions": "GET /subscriptions/search",
    "searchInvoices": "GET /invoices",
    "searchCharges": "GET /charges",
    "searchDisputes": "GET /disputes",
    "getDispute": "GET /disputes/{disputeId}",
    "sendEvidence": "POST /disputes/{disputeId}/evidence keyed",
    "refundInvoice": "POST /businesses/{businessId}/invoices/{invoiceId}/refunds keyed",
    "disputeInvoice": "PUT /businesses/{businessId}/invoices/{invoiceId}/test-dispute",
    "payInvoice": "POST /businesses/{businessId}/invoices/{invoiceId}/pay keyed",
    "listPaymentMethods": "GET /businesses/{businessId}/payment-methods",
    "addPaymentMethod": "POST /businesses/{businessId}/payment-methods keyed",
    "beginPaymentMethod": "POST /businesses/{businessId}/payment-methods/setup keyed",
    "setDefaultPaymentMethod": "PUT /businesses/{businessId}/payment-methods/{paymentMethodId}/default",
    "removePaymentMethod": "DELETE /businesses/{businessId}/payment-methods/{paymentMethodId}",
    "endAppSubscriptions": "POST /apps/{appId}/endings keyed",
    "getAppEnding": "GET /apps/{appId}/endings/{endingId}",
    "getCatchUp": "GET /operations/catch-up",
    "decideCatchUp": "POST /operations/catch-up keyed",
    "getOrganizationBalance": "GET /organizations/{organizationId}/balance",
    "listStatements": "GET /organizations/{organizationId}/statements",
    "getStatement": "GET /organizations/{organizationId}/statements/{month}",
    "getBusinessBalance": "GET /businesses/{businessId}/balance",
    "getOperatorBalance": "GET /operator/balance",
    "getTaxReport": "GET /reports/tax/{month}",
    "listPayouts": "GET /organizations/{organizationId}/payouts",
    "bookPayout": "POST /organizations/{organizationId}/payouts keyed",
    "bookAdjustment": "POST /organizations/{organizationId}/adjustments keyed",
    "getPayoutAccount": "GET /organizations/{organizationId}/payout-account",
    "openPayoutAccount": "POST /organizations/{organizationId}/payout-account keyed",
    "listTransfers": "GET /organizations/{organizationId}/transfers",
    "orderTransfer": "POST /organizations/{organizationId}/transfers keyed",
    "getTaxSettings": "GET /organizations/{organizationId}/tax",
    "chooseTaxSource": "PUT /organizations/{organizationId}/tax",
    "setTaxRate": "PUT /organizations/{organizationId}/tax-rates/{country}/{validFrom}",
    "removeTaxRate": "DELETE /organizations/{organizationId}/tax-rates/{country}/{validFrom}",
    "listOperatorTaxRates": "GET /tax-rates",
    "setOperatorTaxRate": "PUT /tax-rates/{country}/{validFrom}",
    "removeOperatorTaxRate": "DELETE /tax-rates/{country}/{validFrom}",
    "listHooks": "GET /hooks",
    "registerHook": "POST /hooks",
    "getHook": "GET /hooks/{hookId}",
    "updateHook": "PATCH /hooks/{hookId}",
    "deleteHook": "DELETE /hooks/{hookId}",
    "getHookHealth": "GET /hooks/{hookId}/health",
    "rotateHookSecret": "POST /hooks/{hookId}/rotate-secret keyed",
    "listAppDeliveries": "GET /apps/{appId}/deliveries",
    "getAppDelivery": "GET /apps/{appId}/deliveries/{deliveryId}",
    "listBusinessDeliveries": "GET /businesses/{businessId}/deliveries",
    "getBusinessDelivery": "GET /businesses/{businessId}/deliveries/{deliveryId}",
    "testHook": "POST /hooks/{hookId}/test keyed",
    "revokeApproval": "DELETE /businesses/{businessId}/approvals/{appId}",
    "redeliverOfApp": "POST /apps/{appId}/deliveries/{deliveryId}/redeliver keyed",
    "redeliverOfBusiness": "POST /businesses/{businessId}/deliveries/{deliveryId}/redeliver keyed",
    "startRedelivery": "POST /apps/{appId}/deliveries/redeliver keyed",
    "listRedeliveries": "GET /apps/{appId}/deliveries/redeliveries",
    "getRedelivery": "GET /apps/{appId}/deliveries/redeliveries/{redeliveryId}",
    "cancelRedelivery": "DELETE /apps/{appId}/deliveries/redeliveries/{redeliveryId}",
    "reportOrderEvents": "POST /orders/events",
    "openOrder": "POST /businesses/{businessId}/orders keyed",
    "getOrder": "GET /businesses/{businessId}/orders/{orderId}",
    "updateOrder": "PATCH /businesses/{businessId}/orders/{orderId}",
    "listTestClocks": "GET /test-clocks",
    "createTestClock": "POST /test-clocks keyed",
    "getTestClock": "GET /test-clocks/{testClockId}",
    "deleteTestClock": "DELETE /test-clocks/{testClockId}",
    "advanceTestClock": "POST /test-clocks/{testClockId}/advance",
    "freezeTestClock": "POST /test-clocks/{testClockId}/freeze keyed",
    "listAudit": "GET /audit",
    "listAppRequests": "GET /apps/{appId}/requests",
    "getBrand": "GET /brand",
    "changeBrand": "PUT /brand",
    "removeLogo": "DELETE /brand/logo",
    "listUpcomingCharges": "GET /operations/upcoming",
    "listUnsettledCharges": "GET /operations/charges",
    "pollCharge": "POST /operations/charges/{chargeId}/poll keyed",
    "listUnsettledRefunds": "GET /operations/refunds",
    "listQuarantined": "GET /operations/quarantined",
    "getRevenue": "GET /reports/revenue",
    "getDailyRevenue": "GET /reports/revenue/daily",
    "getRevenueByCountry": "GET /reports/revenue/countries",
    "listReconciliations": "GET /reconciliations",
    "receiveGatewayEvent": "POST /gateways/{gateway}/events",
    "runInvariantChecks": "GET /operations/checks",
    "getUser": "GET /users/{userId}",
    "changeUser": "PATCH /users/{userId}",
    "listPeople": "GET /memberships",
    "acceptInvitation": "POST /memberships keyed",
    "changeRole": "PATCH /memberships/{membershipId}",
    "removePerson": "DELETE /memberships/{membershipId}",
    "listInvitations": "GET /invitations",
    "invite": "POST /invitations keyed",
    "revokeInvitation": "DELETE /invitations/{invitationId}",
    "listSessions": "GET /sessions",
    "signIn": "POST /sessions",
    "getCurrentSession": "GET /sessions/current",
    "chooseMembership": "PATCH /sessions/current",
    "signOut": "DELETE /sessions/current",
    "endSession": "DELETE /sessions/{sessionId}",
    "startDeviceLogin": "POST /device-logins",
    "pollDeviceLogin": "POST /device-logins/token",
    "getAccount": "GET /users/current",
    "changeAccount": "PATCH /users/current",
    "changePassword": "POST /users/current/password keyed",
    "setUpSecondFactor": "POST /users/current/second-factor keyed",
    "confirmSecondFactor": "POST /users/current/second-factor/confirm keyed",
    "renewRecoveryCodes": "POST /users/current/second-factor/recovery-codes keyed",
    "removeSecondFactor": "POST /users/current/second-factor/remove keyed",
    "requestPasswordReset": "POST /password-resets keyed",
    "completePasswordReset": "POST /password-resets/complete keyed",
    "listBusinessUsers": "GET /businesses/{businessId}/users",
    "createBusinessUser": "POST /businesses/{businessId}/users keyed",
    "updateBusinessUser": "PATCH /businesses/{businessId}/users/{businessUserId}",
    "removeBusinessUser": "DELETE /businesses/{businessId}/users/{businessUserId}",
    "activateDevice": "POST /devices/activate keyed",
    "closeDevice": "DELETE /businesses/{businessId}/devices/{deviceId}",
    "closeStore": "DELETE /businesses/{businessId}/stores/{storeId}",
    "getAppAtTerminal": "GET /terminal/apps/{packageName}",
    "reportInstalledApp": "PUT /terminal/apps/{packageName}",
    "reportRemovedApp": "DELETE /terminal/apps/{packageName}",
    "listSubscriptionsAtTerminal": "GET /terminal/apps/{packageName}/subscriptions",
    "signSubscriptionsAtTerminal": "GET /terminal/apps/{packageName}/subscriptions/signed",
    "listPlansAtTerminal": "GET /terminal/apps/{packageName}/plans",
    "issueUserToken": "POST /terminal/apps/{packageName}/token",
    "openPurchaseAtTerminal": "POST /terminal/apps/{packageName}/purchases keyed",
    "getPurchaseAtTerminal": "GET /terminal/purchases/{purchaseId}",
    "cancelPurchaseAtTerminal": "DELETE /terminal/purchases/{purchaseId}",
    "approvePermissionsAtTerminal": "POST /terminal/apps/{packageName}/approval keyed",
    "searchTerminals": "GET /terminals",
    "signInAtTerminal": "POST /terminal/sessions",
    "signOutAtTerminal": "DELETE /terminal/sessions/current",
    "getHealth": "GET /healthz",
    "getReadiness": "GET /readyz",
    "getOpenApi": "GET /openapi.json",
}

#: The name of each parameter in the contract, by its name in Python.
PARAMETERS: Dict[str, Dict[str, str]] = {
    "revokeAppKey": {"app_id": "appId", "kid": "kid"},
    "rotateSigningKey": {},
    "getKeySet": {},
    "listOrganizations": {"organization_id": "organizationId", "q": "q", "limit": "limit", "after": "after"},
    "createOrganization": {},
    "getOrganization": {"organization_id": "organizationId"},
    "updateOrganization": {"organization_id": "organizationId"},
    "getSeller": {"organization_id": "organizationId"},
    "nameSeller": {"organization_id": "organizationId"},
    "listApps": {"organization_id": "organizationId", "status": "status", "q": "q", "limit": "limit", "after": "after"},
    "createApp": {},
    "getApp": {"app_id": "appId"},
    "updateApp": {"app_id": "appId"},
    "addAppKey": {"app_id": "appId"},
    "removeAppIcon": {"app_id": "appId"},
    "listReleases": {"app_id": "appId", "start": "start", "count": "count"},
    "submitRelease": {"app_id": "appId"},
    "listAllReleases": {"organization_id": "organizationId", "status": "status", "limit": "limit", "after": "after"},
    "getRelease": {"app_id": "appId", "release_id": "releaseId"},
    "approveRelease": {"app_id": "appId", "release_id": "releaseId"},
    "rejectRelease": {"app_id": "appId", "release_id": "releaseId"},
    "withdrawRelease": {"app_id": "appId", "release_id": "releaseId"},
    "writeReleaseMessage": {"app_id": "appId", "release_id": "releaseId"},
    "listPlans": {"app_id": "appId", "status": "status", "start": "start", "count": "count"},
    "retirePlan": {"app_id": "appId", "plan_id": "planId"},
    "searchBusinesses": {"organization_id": "organizationId", "type": "type", "q": "q", "limit": "limit", "after": "after"},
    "findBusiness": {"store_device_id": "storeDeviceId"},
    "createBusiness": {},
    "getBusiness": {"business_id": "businessId"},
    "updateBusiness": {"business_id": "businessId"},
    "addStore": {"business_id": "businessId"},
    "addDevice": {"business_id": "businessId", "store_id": "storeId"},
    "renewActivationCode": {"business_id": "businessId", "device_id": "deviceId"},
    "listApprovals": {"business_id": "businessId"},
    "approveApp": {"business_id": "businessId"},
    "listSubscriptions": {"app_id": "appId", "business_id": "businessId", "store_id": "storeId", "device_id": "deviceId", "plan_id": "planId", "status": "status", "start": "start", "count": "count", "after": "after"},
    "subscribe": {"app_id": "appId"},
    "getSubscription": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "changeSubscription": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "cancelSubscription": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "restoreSubscription": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "endSubscription": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "previewPlanChange": {"app_id": "appId", "subscription_id": "subscriptionId"},
    "getPurchase": {"app_id": "appId", "purchase_id": "purchaseId"},
    "listInvoices": {"business_id": "businessId", "start": "start", "count": "count"},
    "getInvoice": {"business_id": "businessId", "invoice_id": "invoiceId"},
    "searchSubscriptions": {"status": "status", "phase": "phase", "payment_status": "paymentStatus", "plan_id": "planId", "organization_id": "organizationId", "app_id": "appId", "business_id": "businessId", "merchant_type": "merchantType", "start_at": "startAt", "end_at": "endAt", "q": "q", "limit": "limit", "after": "after"},
    "searchInvoices": {"status": "status", "subscription_id": "subscriptionId", "number": "number", "refunded": "refunded", "organization_id": "organizationId", "app_id": "appId", "business_id": "businessId", "merchant_type": "merchantType", "start_at": "startAt", "end_at": "endAt", "q": "q", "limit": "limit", "after": "after"},
    "searchCharges": {"status": "status", "invoice_id": "invoiceId", "organization_id": "organizationId", "app_id": "appId", "business_id": "businessId", "merchant_type": "merchantType", "start_at": "startAt", "end_at": "endAt", "q": "q", "limit": "limit", "after": "after"},
    "searchDisputes": {"status": "status", "organization_id": "organizationId", "app_id": "appId", "business_id": "businessId", "merchant_type": "merchantType", "start_at": "startAt", "end_at": "endAt", "q": "q", "limit": "limit", "after": "after"},
    "getDispute": {"dispute_id": "disputeId"},
    "sendEvidence": {"dispute_id": "disputeId"},
    "refundInvoice": {"business_id": "businessId", "invoice_id": "invoiceId"},
    "disputeInvoice": {"business_id": "businessId", "invoice_id": "invoiceId"},
    "payInvoice": {"business_id": "businessId", "invoice_id": "invoiceId"},
    "listPaymentMethods": {"business_id": "businessId", "start": "start", "count": "count"},
    "addPaymentMethod": {"business_id": "businessId"},
    "beginPaymentMethod": {"business_id": "businessId"},
    "setDefaultPaymentMethod": {"business_id": "businessId", "payment_method_id": "paymentMethodId"},
    "removePaymentMethod": {"business_id": "businessId", "payment_method_id": "paymentMethodId"},
    "endAppSubscriptions": {"app_id": "appId"},
    "getAppEnding": {"app_id": "appId", "ending_id": "endingId"},
    "getCatchUp": {},
    "decideCatchUp": {},
    "getOrganizationBalance": {"organization_id": "organizationId"},
    "listStatements": {"organization_id": "organizationId", "merchant_type": "merchantType"},
    "getStatement": {"organization_id": "organizationId", "month": "month", "merchant_type": "merchantType", "currency": "currency"},
    "getBusinessBalance": {"business_id": "businessId"},
    "getOperatorBalance": {},
    "getTaxReport": {"month": "month", "merchant_type": "merchantType", "organization_id": "organizationId"},
    "listPayouts": {"organization_id": "organizationId", "start": "start", "count": "count"},
    "bookPayout": {"organization_id": "organizationId"},
    "bookAdjustment": {"organization_id": "organizationId"},
    "getPayoutAccount": {"organization_id": "organizationId"},
    "openPayoutAccount": {"organization_id": "organizationId"},
    "listTransfers": {"organization_id": "organizationId", "start": "start", "count": "count"},
    "orderTransfer": {"organization_id": "organizationId"},
    "getTaxSettings": {"organization_id": "organizationId"},
    "chooseTaxSource": {"organization_id": "organizationId"},
    "setTaxRate": {"organization_id": "organizationId", "country": "country", "valid_from": "validFrom"},
    "removeTaxRate": {"organization_id": "organizationId", "country": "country", "valid_from": "validFrom"},
    "listOperatorTaxRates": {},
    "setOperatorTaxRate": {"country": "country", "valid_from": "validFrom"},
    "removeOperatorTaxRate": {"country": "country", "valid_from": "validFrom"},
    "listHooks": {"application_id": "applicationId", "business_id": "businessId", "active": "active", "limit": "limit", "after": "after"},
    "registerHook": {},
    "getHook": {"hook_id": "hookId"},
    "updateHook": {"hook_id": "hookId"},
    "deleteHook": {"hook_id": "hookId"},
    "getHookHealth": {"hook_id": "hookId", "from_": "from", "to": "to"},
    "rotateHookSecret": {"hook_id": "hookId"},
    "listAppDeliveries": {"app_id": "appId", "start_at": "startAt", "end_at": "endAt", "hook_id": "hookId", "event_type": "eventType", "resource_id": "resourceId", "status": "status", "limit": "limit", "after": "after"},
    "getAppDelivery": {"app_id": "appId", "delivery_id": "deliveryId"},
    "listBusinessDeliveries": {"business_id": "businessId", "start_at": "startAt", "end_at": "endAt", "hook_id": "hookId", "event_type": "eventType", "resource_id": "resourceId", "status": "status", "limit": "limit", "after": "after"},
    "getBusinessDelivery": {"business_id": "businessId", "delivery_id": "deliveryId"},
    "testHook": {"hook_id": "hookId"},
    "revokeApproval": {"business_id": "businessId", "app_id": "appId"},
    "redeliverOfApp": {"app_id": "appId", "delivery_id": "deliveryId"},
    "redeliverOfBusiness": {"business_id": "businessId", "delivery_id": "deliveryId"},
    "startRedelivery": {"app_id": "appId"},
    "listRedeliveries": {"app_id": "appId", "limit": "limit", "after": "after"},
    "getRedelivery": {"app_id": "appId", "redelivery_id": "redeliveryId"},
    "cancelRedelivery": {"app_id": "appId", "redelivery_id": "redeliveryId"},
    "reportOrderEvents": {},
    "openOrder": {"business_id": "businessId"},
    "getOrder": {"business_id": "businessId", "order_id": "orderId"},
    "updateOrder": {"business_id": "businessId", "order_id": "orderId"},
    "listTestClocks": {"business_id": "businessId"},
    "createTestClock": {},
    "getTestClock": {"test_clock_id": "testClockId"},
    "deleteTestClock": {"test_clock_id": "testClockId"},
    "advanceTestClock": {"test_clock_id": "testClockId"},
    "freezeTestClock": {"test_clock_id": "testClockId"},
    "listAudit": {"kind": "kind", "resource_id": "resourceId", "principal": "principal", "start_at": "startAt", "end_at": "endAt", "limit": "limit", "after": "after"},
    "listAppRequests": {"app_id": "appId", "method": "method", "http_status": "httpStatus", "request_id": "requestId", "start_at": "startAt", "end_at": "endAt", "limit": "limit", "after": "after"},
    "getBrand": {},
    "changeBrand": {},
    "removeLogo": {},
    "listUpcomingCharges": {"days": "days", "count": "count", "after": "after"},
    "listUnsettledCharges": {"state": "state", "count": "count", "after": "after"},
    "pollCharge": {"charge_id": "chargeId"},
    "listUnsettledRefunds": {"state": "state", "count": "count", "after": "after"},
    "listQuarantined": {"count": "count"},
    "getRevenue": {"month": "month", "currency": "currency"},
    "getDailyRevenue": {"from_": "from", "to": "to", "organization_id": "organizationId", "app_id": "appId", "plan_id": "planId", "currency": "currency", "merchant_type": "merchantType"},
    "getRevenueByCountry": {"from_": "from", "to": "to", "organization_id": "organizationId", "app_id": "appId", "currency": "currency", "merchant_type": "merchantType"},
    "listReconciliations": {},
    "receiveGatewayEvent": {"gateway": "gateway"},
    "runInvariantChecks": {"check": "check"},
    "getUser": {"user_id": "userId"},
    "changeUser": {"user_id": "userId"},
    "listPeople": {"kind": "kind", "organization_id": "organizationId", "business_id": "businessId"},
    "acceptInvitation": {},
    "changeRole": {"membership_id": "membershipId"},
    "removePerson": {"membership_id": "membershipId"},
    "listInvitations": {"kind": "kind", "organization_id": "organizationId", "business_id": "businessId"},
    "invite": {},
    "revokeInvitation": {"invitation_id": "invitationId"},
    "listSessions": {},
    "signIn": {},
    "getCurrentSession": {},
    "chooseMembership": {},
    "signOut": {},
    "endSession": {"session_id": "sessionId"},
    "startDeviceLogin": {},
    "pollDeviceLogin": {},
    "getAccount": {},
    "changeAccount": {},
    "changePassword": {},
    "setUpSecondFactor": {},
    "confirmSecondFactor": {},
    "renewRecoveryCodes": {},
    "removeSecondFactor": {},
    "requestPasswordReset": {},
    "completePasswordReset": {},
    "listBusinessUsers": {"business_id": "businessId"},
    "createBusinessUser": {"business_id": "businessId"},
    "updateBusinessUser": {"business_id": "businessId", "business_user_id": "businessUserId"},
    "removeBusinessUser": {"business_id": "businessId", "business_user_id": "businessUserId"},
    "activateDevice": {},
    "closeDevice": {"business_id": "businessId", "device_id": "deviceId"},
    "closeStore": {"business_id": "businessId", "store_id": "storeId"},
    "getAppAtTerminal": {"package_name": "packageName"},
    "reportInstalledApp": {"package_name": "packageName"},
    "reportRemovedApp": {"package_name": "packageName"},
    "listSubscriptionsAtTerminal": {"package_name": "packageName", "status": "status", "start": "start", "count": "count", "after": "after"},
    "signSubscriptionsAtTerminal": {"package_name": "packageName"},
    "listPlansAtTerminal": {"package_name": "packageName", "status": "status", "start": "start", "count": "count"},
    "issueUserToken": {"package_name": "packageName"},
    "openPurchaseAtTerminal": {"package_name": "packageName"},
    "getPurchaseAtTerminal": {"purchase_id": "purchaseId"},
    "cancelPurchaseAtTerminal": {"purchase_id": "purchaseId"},
    "approvePermissionsAtTerminal": {"package_name": "packageName"},
    "searchTerminals": {"organization_id": "organizationId", "app_id": "appId", "business_id": "businessId", "store_id": "storeId", "status": "status", "merchant_type": "merchantType", "q": "q", "limit": "limit", "after": "after"},
    "signInAtTerminal": {},
    "signOutAtTerminal": {},
    "getHealth": {},
    "getReadiness": {},
    "getOpenApi": {},
}


class Operations:
    """One method for each JSON operation of the contract."""

    def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

    def revoke_app_key(self, *, kid: str, app_id: Optional[AppUrn] = None) -> None:
        """Revoke a key of an app and its tokens."""
        return self._invoke("revokeAppKey", {"appId": app_id, "kid": kid}, None, None)

    def rotate_signing_key(self) -> SigningKey:
        """Rotate the signing key of access tokens: the new key is published at once and signs ten minutes later."""
        return self._invoke("rotateSigningKey", {}, None, None)

    def get_key_set(self) -> KeySet:
        """Get the public keys of access tokens."""
        return self._invoke("getKeySet", {}, None, None)

    def list_organizations(self, *, organization_id: Optional[Uuid] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> OrganizationList:
        """List organizations by name, e-mail or id, newest first."""
        return self._invoke("listOrganizations", {"organizationId": organization_id, "q": q, "limit": limit, "after": after}, None, None)

    def create_organization(self, *, body: OrganizationRequest, idempotency_key: Optional[str] = None) -> Organization:
        """Create a developer organization."""
        return self._invoke("createOrganization", {}, body, idempotency_key)

    def get_organization(self, *, organization_id: Uuid) -> Organization:
        """Get an organization."""
        return self._invoke("getOrganization", {"organizationId": organization_id}, None, None)

    def update_organization(self, *, organization_id: Uuid, body: Optional[OrganizationChanges] = None) -> Organization:
        """Change the name or e-mail of an organization. Issued invoices keep the old values."""
        return self._invoke("updateOrganization", {"organizationId": organization_id}, body, None)

    def get_seller(self, *, organization_id: Uuid) -> Seller:
        """Get the seller data of an organization for new invoices."""
        return self._invoke("getSeller", {"organizationId": organization_id}, None, None)

    def name_seller(self, *, body: SellerRequest, organization_id: Uuid) -> Seller:
        """Set the seller data of an organization for new invoices."""
        return self._invoke("nameSeller", {"organizationId": organization_id}, body, None)

    def list_apps(self, *, organization_id: Optional[Uuid] = None, status: Optional[Literal["ACTIVE", "DISABLED"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> AppList:
        """List apps by name, package name or id, newest first."""
        return self._invoke("listApps", {"organizationId": organization_id, "status": status, "q": q, "limit": limit, "after": after}, None, None)

    def create_app(self, *, body: AppRequest, idempotency_key: Optional[str] = None) -> App:
        """Create an app, optionally with an icon."""
        return self._invoke("createApp", {}, body, idempotency_key)

    def get_app(self, *, app_id: Optional[AppUrn] = None) -> App:
        """Get an app."""
        return self._invoke("getApp", {"appId": app_id}, None, None)

    def update_app(self, *, app_id: Optional[AppUrn] = None, body: Optional[AppChanges] = None) -> App:
        """Update an app or its icon, or disable or enable the app."""
        return self._invoke("updateApp", {"appId": app_id}, body, None)

    def add_app_key(self, *, app_id: Optional[AppUrn] = None, body: Optional[AppKeyRequest] = None, idempotency_key: Optional[str] = None) -> AppKey:
        """Add a key to an app."""
        return self._invoke("addAppKey", {"appId": app_id}, body, idempotency_key)

    def remove_app_icon(self, *, app_id: Optional[AppUrn] = None) -> None:
        """Remove the icon of an app."""
        return self._invoke("removeAppIcon", {"appId": app_id}, None, None)

    def list_releases(self, *, app_id: Optional[AppUrn] = None, start: Optional[int] = None, count: Optional[int] = None) -> ReleasePage:
        """List the releases of an app, without plans."""
        return self._invoke("listReleases", {"appId": app_id, "start": start, "count": count}, None, None)

    def submit_release(self, *, body: ReleaseRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Submit a release of an app for review, with plans and optionally a package."""
        return self._invoke("submitRelease", {"appId": app_id}, body, idempotency_key)

    def list_all_releases(self, *, organization_id: Optional[Uuid] = None, status: Optional[Literal["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ReleaseList:
        """List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review."""
        return self._invoke("listAllReleases", {"organizationId": organization_id, "status": status, "limit": limit, "after": after}, None, None)

    def get_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None) -> Release:
        """Get a release with its plans."""
        return self._invoke("getRelease", {"appId": app_id, "releaseId": release_id}, None, None)

    def approve_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Approve a release and activate its plans."""
        return self._invoke("approveRelease", {"appId": app_id, "releaseId": release_id}, None, idempotency_key)

    def reject_release(self, *, body: Rejection, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Reject a release with a reason."""
        return self._invoke("rejectRelease", {"appId": app_id, "releaseId": release_id}, body, idempotency_key)

    def withdraw_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Withdraw a release from review and delete its package."""
        return self._invoke("withdrawRelease", {"appId": app_id, "releaseId": release_id}, None, idempotency_key)

    def write_release_message(self, *, body: ReleaseMessageRequest, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Ask the developer about a release in review, or answer the operator's question."""
        return self._invoke("writeReleaseMessage", {"appId": app_id, "releaseId": release_id}, body, idempotency_key)

    def list_plans(self, *, app_id: Optional[AppUrn] = None, status: Optional[Literal["INACTIVE", "ACTIVE"]] = None, start: Optional[int] = None, count: Optional[int] = None) -> PlanPage:
        """List the plans of an app."""
        return self._invoke("listPlans", {"appId": app_id, "status": status, "start": start, "count": count}, None, None)

    def retire_plan(self, *, plan_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Plan:
        """Retire a plan: it accepts no new subscribers."""
        return self._invoke("retirePlan", {"appId": app_id, "planId": plan_id}, None, idempotency_key)

    def search_businesses(self, *, organization_id: Optional[Uuid] = None, type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> BusinessList:
        """List businesses by name, e-mail or id, newest first, without stores."""
        return self._invoke("searchBusinesses", {"organizationId": organization_id, "type": type, "q": q, "limit": limit, "after": after}, None, None)

    def find_business(self, *, store_device_id: DeviceUrn) -> Business:
        """Find the business of a terminal."""
        return self._invoke("findBusiness", {"storeDeviceId": store_device_id}, None, None)

    def create_business(self, *, body: BusinessRequest, idempotency_key: Optional[str] = None) -> Business:
        """Create a merchant or a test merchant."""
        return self._invoke("createBusiness", {}, body, idempotency_key)

    def get_business(self, *, business_id: Uuid) -> Business:
        """Get a business with its stores and devices."""
        return self._invoke("getBusiness", {"businessId": business_id}, None, None)

    def update_business(self, *, business_id: Uuid, body: Optional[BusinessChanges] = None) -> Business:
        """Update a business."""
        return self._invoke("updateBusiness", {"businessId": business_id}, body, None)

    def add_store(self, *, body: StoreRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> Store:
        """Create a store."""
        return self._invoke("addStore", {"businessId": business_id}, body, idempotency_key)

    def add_device(self, *, body: DeviceRequest, business_id: Uuid, store_id: Uuid, idempotency_key: Optional[str] = None) -> Device:
        """Create a terminal and get its activation code."""
        return self._invoke("addDevice", {"businessId": business_id, "storeId": store_id}, body, idempotency_key)

    def renew_activation_code(self, *, business_id: Uuid, device_id: DeviceUrn, idempotency_key: Optional[str] = None) -> ActivationCode:
        """Create a new activation code for a terminal."""
        return self._invoke("renewActivationCode", {"businessId": business_id, "deviceId": device_id}, None, idempotency_key)

    def list_approvals(self, *, business_id: Uuid) -> ApprovalList:
        """List the apps that a business has approved."""
        return self._invoke("listApprovals", {"businessId": business_id}, None, None)

    def approve_app(self, *, body: ApprovalRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> Approval:
        """Approve an app, or change its approved rights."""
        return self._invoke("approveApp", {"businessId": business_id}, body, idempotency_key)

    def list_subscriptions(self, *, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, store_id: Optional[Uuid] = None, device_id: Optional[DeviceUrn] = None, plan_id: Optional[Uuid] = None, status: Optional[Literal["PENDING", "ACTIVE", "ENDED", "ALL"]] = None, start: Optional[int] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionPage:
        """List the subscriptions of an app: active ones of all merchants, unless filtered."""
        return self._invoke("listSubscriptions", {"appId": app_id, "businessId": business_id, "storeId": store_id, "deviceId": device_id, "planId": plan_id, "status": status, "start": start, "count": count, "after": after}, None, None)

    def subscribe(self, *, body: SubscriptionRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Union[Subscription, SubscriptionOrPurchase]:
        """Subscribe a merchant to a plan. The response waits up to 5 s for the first payment; without an outcome the subscription is PENDING (202). Without the right SUBSCRIBE the merchant must confirm a purchase (202)."""
        return self._invoke("subscribe", {"appId": app_id}, body, idempotency_key)

    def get_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> Subscription:
        """Get a subscription. Every billing event links here."""
        return self._invoke("getSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, None)

    def change_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, body: Optional[SubscriptionChange] = None) -> Union[Subscription, Purchase]:
        """Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202)."""
        return self._invoke("changeSubscription", {"appId": app_id, "subscriptionId": subscription_id}, body, None)

    def cancel_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> Subscription:
        """Cancel a subscription, at once or at the end of the paid period, as the plan defines."""
        return self._invoke("cancelSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, None)

    def restore_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Union[Subscription, Purchase]:
        """Undo a scheduled cancellation. Without the right SUBSCRIBE the merchant must confirm (202)."""
        return self._invoke("restoreSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, idempotency_key)

    def end_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Subscription:
        """End a subscription now, as the operator."""
        return self._invoke("endSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, idempotency_key)

    def preview_plan_change(self, *, body: PlanChange, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> PlanChangePreview:
        """Preview a plan change: the lines of its invoice and the credit. Nothing is stored."""
        return self._invoke("previewPlanChange", {"appId": app_id, "subscriptionId": subscription_id}, body, None)

    def get_purchase(self, *, purchase_id: Uuid, app_id: Optional[AppUrn] = None) -> Purchase:
        """Get a purchase and its outcome."""
        return self._invoke("getPurchase", {"appId": app_id, "purchaseId": purchase_id}, None, None)

    def list_invoices(self, *, business_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> InvoicePage:
        """List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions."""
        return self._invoke("listInvoices", {"businessId": business_id, "start": start, "count": count}, None, None)

    def get_invoice(self, *, business_id: Uuid, invoice_id: Uuid) -> Invoice:
        """Get an invoice. Payment and refund events link here."""
        return self._invoke("getInvoice", {"businessId": business_id, "invoiceId": invoice_id}, None, None)

    def search_subscriptions(self, *, status: Optional[Literal["PENDING", "ACTIVE", "ENDED"]] = None, phase: Optional[Literal["TRIAL", "FULL"]] = None, payment_status: Optional[Literal["CURRENT", "PAST_DUE"]] = None, plan_id: Optional[Uuid] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionList:
        """List the subscriptions of all visible apps, newest first."""
        return self._invoke("searchSubscriptions", {"status": status, "phase": phase, "paymentStatus": payment_status, "planId": plan_id, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    def search_invoices(self, *, status: Optional[Literal["OPEN", "PAID", "UNCOLLECTIBLE", "VOID"]] = None, subscription_id: Optional[Uuid] = None, number: Optional[str] = None, refunded: Optional[bool] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> InvoiceList:
        """List the invoices of all visible apps, newest first, without lines and attempts."""
        return self._invoke("searchInvoices", {"status": status, "subscriptionId": subscription_id, "number": number, "refunded": refunded, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    def search_charges(self, *, status: Optional[Literal["SUCCEEDED", "DECLINED", "IN_FLIGHT", "PENDING", "ACTION_REQUIRED", "UNKNOWN", "WITHDRAWN"]] = None, invoice_id: Optional[Uuid] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ChargeList:
        """List the charges of all visible apps, newest first."""
        return self._invoke("searchCharges", {"status": status, "invoiceId": invoice_id, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    def search_disputes(self, *, status: Optional[Literal["OPEN", "LOST", "WON"]] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DisputeList:
        """List the disputes of all visible apps, newest first."""
        return self._invoke("searchDisputes", {"status": status, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    def get_dispute(self, *, dispute_id: Uuid) -> AnsweredDispute:
        """Get a dispute with its deadline and the evidence that was sent."""
        return self._invoke("getDispute", {"disputeId": dispute_id}, None, None)

    def send_evidence(self, *, dispute_id: Uuid, body: Optional[EvidenceRequest] = None, idempotency_key: Optional[str] = None) -> AnsweredDispute:
        """Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later."""
        return self._invoke("sendEvidence", {"disputeId": dispute_id}, body, idempotency_key)

    def refund_invoice(self, *, business_id: Uuid, invoice_id: Uuid, body: Optional[RefundRequest] = None, idempotency_key: Optional[str] = None) -> Refund:
        """Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund."""
        return self._invoke("refundInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, idempotency_key)

    def dispute_invoice(self, *, body: DisputeRequest, business_id: Uuid, invoice_id: Uuid) -> Dispute:
        """Open or decide a dispute of a test merchant's payment."""
        return self._invoke("disputeInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, None)

    def pay_invoice(self, *, business_id: Uuid, invoice_id: Uuid, body: Optional[PayInvoiceRequest] = None, idempotency_key: Optional[str] = None) -> Invoice:
        """Charge an open invoice now. The outcome is in the invoice and in an event."""
        return self._invoke("payInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, idempotency_key)

    def list_payment_methods(self, *, business_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> PaymentMethodList:
        """List the payment methods of a merchant, the default first."""
        return self._invoke("listPaymentMethods", {"businessId": business_id, "start": start, "count": count}, None, None)

    def add_payment_method(self, *, body: PaymentMethodRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> PaymentMethod:
        """Save a payment method as the default, and charge past-due invoices."""
        return self._invoke("addPaymentMethod", {"businessId": business_id}, body, idempotency_key)

    def begin_payment_method(self, *, body: PaymentMethodSetupRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> PaymentMethodSetup:
        """Begin saving a card with the gateway's own page element, so that Tillhook sees no card number."""
        return self._invoke("beginPaymentMethod", {"businessId": business_id}, body, idempotency_key)

    def set_default_payment_method(self, *, business_id: Uuid, payment_method_id: Uuid) -> PaymentMethod:
        """Make a payment method the default, and charge past-due invoices with it."""
        return self._invoke("setDefaultPaymentMethod", {"businessId": business_id, "paymentMethodId": payment_method_id}, None, None)

    def remove_payment_method(self, *, business_id: Uuid, payment_method_id: Uuid) -> None:
        """Remove a payment method. The default of a live paid subscription cannot be removed."""
        return self._invoke("removePaymentMethod", {"businessId": business_id, "paymentMethodId": payment_method_id}, None, None)

    def end_app_subscriptions(self, *, body: AppEndingRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> AppEnding:
        """End all subscriptions of a disabled app, in the background."""
        return self._invoke("endAppSubscriptions", {"appId": app_id}, body, idempotency_key)

    def get_app_ending(self, *, ending_id: Uuid, app_id: Optional[AppUrn] = None) -> AppEnding:
        """Get the progress of ending all subscriptions of an app."""
        return self._invoke("getAppEnding", {"appId": app_id, "endingId": ending_id}, None, None)

    def get_catch_up(self) -> CatchUpReport:
        """Get the last billing outage of more than a day, and its missed charges."""
        return self._invoke("getCatchUp", {}, None, None)

    def decide_catch_up(self, *, body: CatchUpDecision, idempotency_key: Optional[str] = None) -> CatchUp:
        """Decide about the missed charges of an outage: charge now, spread over days, or waive."""
        return self._invoke("decideCatchUp", {}, body, idempotency_key)

    def get_organization_balance(self, *, organization_id: Uuid) -> OrganizationBalance:
        """Get the balance of a developer in each currency."""
        return self._invoke("getOrganizationBalance", {"organizationId": organization_id}, None, None)

    def list_statements(self, *, organization_id: Uuid, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> StatementList:
        """List the months with bookings, newest first."""
        return self._invoke("listStatements", {"organizationId": organization_id, "merchantType": merchant_type}, None, None)

    def get_statement(self, *, organization_id: Uuid, month: str, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, currency: Optional[str] = None) -> Statement:
        """Get the statement of a month: bookings by plan, and the balance before and after."""
        return self._invoke("getStatement", {"organizationId": organization_id, "month": month, "merchantType": merchant_type, "currency": currency}, None, None)

    def get_business_balance(self, *, business_id: Uuid) -> BusinessBalance:
        """Get the payments and the credit of a merchant. A developer sees only its own apps."""
        return self._invoke("getBusinessBalance", {"businessId": business_id}, None, None)

    def get_operator_balance(self) -> OperatorBalance:
        """Get the operator's share, gateway fees and debts to developers, in each currency."""
        return self._invoke("getOperatorBalance", {}, None, None)

    def get_tax_report(self, *, month: str, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, organization_id: Optional[Uuid] = None) -> TaxReport:
        """Get the collected and returned tax of a month by country and rate."""
        return self._invoke("getTaxReport", {"month": month, "merchantType": merchant_type, "organizationId": organization_id}, None, None)

    def list_payouts(self, *, organization_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> OrganizationBookingList:
        """List payouts, fees and adjustments of a developer, newest first."""
        return self._invoke("listPayouts", {"organizationId": organization_id, "start": start, "count": count}, None, None)

    def book_payout(self, *, body: PayoutRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OrganizationBooking:
        """Book a payout to a developer, up to the owed amount."""
        return self._invoke("bookPayout", {"organizationId": organization_id}, body, idempotency_key)

    def book_adjustment(self, *, body: AdjustmentRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OrganizationBooking:
        """Book a gateway fee that the developer bears, or an adjustment of the developer's balance."""
        return self._invoke("bookAdjustment", {"organizationId": organization_id}, body, idempotency_key)

    def get_payout_account(self, *, organization_id: Uuid) -> PayoutAccount:
        """Get the payout account of a developer."""
        return self._invoke("getPayoutAccount", {"organizationId": organization_id}, None, None)

    def open_payout_account(self, *, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OpenedPayoutAccount:
        """Open the payout account of a developer, or get a new link to complete the account."""
        return self._invoke("openPayoutAccount", {"organizationId": organization_id}, None, idempotency_key)

    def list_transfers(self, *, organization_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> PayoutTransferList:
        """List the transfers to the payout account of a developer, newest first."""
        return self._invoke("listTransfers", {"organizationId": organization_id, "start": start, "count": count}, None, None)

    def order_transfer(self, *, body: PayoutTransferRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> PayoutTransfer:
        """Transfer the closing balance of a statement to the payout account, up to the amount owed now."""
        return self._invoke("orderTransfer", {"organizationId": organization_id}, body, idempotency_key)

    def get_tax_settings(self, *, organization_id: Uuid) -> TaxSettings:
        """Get the source of an organization's tax rates, and the rates by country and date."""
        return self._invoke("getTaxSettings", {"organizationId": organization_id}, None, None)

    def choose_tax_source(self, *, body: TaxSettingsRequest, organization_id: Uuid) -> TaxSettings:
        """Choose the tax rates for new invoices of an organization."""
        return self._invoke("chooseTaxSource", {"organizationId": organization_id}, body, None)

    def set_tax_rate(self, *, body: TaxRateRequest, organization_id: Uuid, country: str, valid_from: str) -> TaxRate:
        """Set a tax rate of an organization from a date on. The rate applies if the source is OWN."""
        return self._invoke("setTaxRate", {"organizationId": organization_id, "country": country, "validFrom": valid_from}, body, None)

    def remove_tax_rate(self, *, organization_id: Uuid, country: str, valid_from: str) -> None:
        """Remove a tax rate of an organization."""
        return self._invoke("removeTaxRate", {"organizationId": organization_id, "country": country, "validFrom": valid_from}, None, None)

    def list_operator_tax_rates(self) -> TaxRateList:
        """List the operator's tax rates by country, latest date first."""
        return self._invoke("listOperatorTaxRates", {}, None, None)

    def set_operator_tax_rate(self, *, body: OperatorTaxRateRequest, country: str, valid_from: str) -> TaxRate:
        """Set a tax rate of the operator from a date on."""
        return self._invoke("setOperatorTaxRate", {"country": country, "validFrom": valid_from}, body, None)

    def remove_operator_tax_rate(self, *, country: str, valid_from: str) -> None:
        """Remove a tax rate of the operator."""
        return self._invoke("removeOperatorTaxRate", {"country": country, "validFrom": valid_from}, None, None)

    def list_hooks(self, *, application_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, active: Optional[bool] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> HookList:
        """List hooks in order of creation."""
        return self._invoke("listHooks", {"applicationId": application_id, "businessId": business_id, "active": active, "limit": limit, "after": after}, None, None)

    def register_hook(self, *, body: HookRequest) -> Hook:
        """Register a hook. A repeated registration returns the existing hook with the new secret."""
        return self._invoke("registerHook", {}, body, None)

    def get_hook(self, *, hook_id: Uuid) -> Hook:
        """Get a hook."""
        return self._invoke("getHook", {"hookId": hook_id}, None, None)

    def update_hook(self, *, hook_id: Uuid, body: Optional[HookChanges] = None) -> ChangedHook:
        """Update a hook. Absent fields stay unchanged."""
        return self._invoke("updateHook", {"hookId": hook_id}, body, None)

    def delete_hook(self, *, hook_id: Uuid) -> None:
        """Delete a hook. Its waiting deliveries end as ERRORED."""
        return self._invoke("deleteHook", {"hookId": hook_id}, None, None)

    def get_hook_health(self, *, hook_id: Uuid, from_: Optional[str] = None, to: Optional[str] = None) -> HookHours:
        """Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours."""
        return self._invoke("getHookHealth", {"hookId": hook_id, "from": from_, "to": to}, None, None)

    def rotate_hook_secret(self, *, hook_id: Uuid, body: Optional[RotateSecretRequest] = None, idempotency_key: Optional[str] = None) -> RotatedSecret:
        """Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets."""
        return self._invoke("rotateHookSecret", {"hookId": hook_id}, body, idempotency_key)

    def list_app_deliveries(self, *, app_id: Optional[AppUrn] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, hook_id: Optional[Uuid] = None, event_type: Optional[Literal["APPLICATION_SUBSCRIPTION_START", "APPLICATION_SUBSCRIPTION_END", "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS", "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL", "APPLICATION_SUBSCRIPTION_PHASE_CHANGE", "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS", "APPLICATION_SUBSCRIPTION_TRIAL_ENDING", "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED", "APPLICATION_SUBSCRIPTION_RESTORED", "APPLICATION_SUBSCRIPTION_PLAN_CHANGE", "APPLICATION_SUBSCRIPTION_TRANSFERRED", "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED", "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED", "ORDER_OPENED", "ORDER_COMPLETED", "ORDER_CANCELLED", "ORDER_UPDATED", "TEST"]] = None, resource_id: Optional[Uuid] = None, status: Optional[Literal["SCHEDULED", "ERRORED_RETRYING", "DELIVERED", "ERRORED"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DeliveryList:
        """List the notifications of an app of the last 30 days, newest first."""
        return self._invoke("listAppDeliveries", {"appId": app_id, "startAt": start_at, "endAt": end_at, "hookId": hook_id, "eventType": event_type, "resourceId": resource_id, "status": status, "limit": limit, "after": after}, None, None)

    def get_app_delivery(self, *, delivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Delivery:
        """Get a notification of an app with its delivery attempts."""
        return self._invoke("getAppDelivery", {"appId": app_id, "deliveryId": delivery_id}, None, None)

    def list_business_deliveries(self, *, business_id: Uuid, start_at: Optional[str] = None, end_at: Optional[str] = None, hook_id: Optional[Uuid] = None, event_type: Optional[Literal["APPLICATION_SUBSCRIPTION_START", "APPLICATION_SUBSCRIPTION_END", "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS", "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL", "APPLICATION_SUBSCRIPTION_PHASE_CHANGE", "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS", "APPLICATION_SUBSCRIPTION_TRIAL_ENDING", "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED", "APPLICATION_SUBSCRIPTION_RESTORED", "APPLICATION_SUBSCRIPTION_PLAN_CHANGE", "APPLICATION_SUBSCRIPTION_TRANSFERRED", "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED", "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED", "ORDER_OPENED", "ORDER_COMPLETED", "ORDER_CANCELLED", "ORDER_UPDATED", "TEST"]] = None, resource_id: Optional[Uuid] = None, status: Optional[Literal["SCHEDULED", "ERRORED_RETRYING", "DELIVERED", "ERRORED"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DeliveryList:
        """List the notifications about a merchant of the last 30 days, newest first."""
        return self._invoke("listBusinessDeliveries", {"businessId": business_id, "startAt": start_at, "endAt": end_at, "hookId": hook_id, "eventType": event_type, "resourceId": resource_id, "status": status, "limit": limit, "after": after}, None, None)

    def get_business_delivery(self, *, business_id: Uuid, delivery_id: Uuid) -> Delivery:
        """Get a notification about a merchant with its delivery attempts."""
        return self._invoke("getBusinessDelivery", {"businessId": business_id, "deliveryId": delivery_id}, None, None)

    def test_hook(self, *, hook_id: Uuid, body: Optional[HookTestRequest] = None, idempotency_key: Optional[str] = None) -> HookTestResult:
        """Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response."""
        return self._invoke("testHook", {"hookId": hook_id}, body, idempotency_key)

    def revoke_approval(self, *, business_id: Uuid, app_id: Optional[AppUrn] = None) -> None:
        """Revoke the approval of an app. Its tokens for the merchant end, and its waiting order notifications are dropped."""
        return self._invoke("revokeApproval", {"businessId": business_id, "appId": app_id}, None, None)

    def redeliver_of_app(self, *, delivery_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> DeliverySummary:
        """Redeliver a notification of an app, with the same bytes and id."""
        return self._invoke("redeliverOfApp", {"appId": app_id, "deliveryId": delivery_id}, None, idempotency_key)

    def redeliver_of_business(self, *, business_id: Uuid, delivery_id: Uuid, idempotency_key: Optional[str] = None) -> DeliverySummary:
        """Redeliver a notification about a merchant, with the same bytes and id."""
        return self._invoke("redeliverOfBusiness", {"businessId": business_id, "deliveryId": delivery_id}, None, idempotency_key)

    def start_redelivery(self, *, app_id: Optional[AppUrn] = None, body: Optional[RedeliveryRequest] = None, idempotency_key: Optional[str] = None) -> Redelivery:
        """Redeliver a range of notifications in the background."""
        return self._invoke("startRedelivery", {"appId": app_id}, body, idempotency_key)

    def list_redeliveries(self, *, app_id: Optional[AppUrn] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> RedeliveryList:
        """List the redeliveries of an app, newest first."""
        return self._invoke("listRedeliveries", {"appId": app_id, "limit": limit, "after": after}, None, None)

    def get_redelivery(self, *, redelivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Redelivery:
        """Get the progress of a redelivery."""
        return self._invoke("getRedelivery", {"appId": app_id, "redeliveryId": redelivery_id}, None, None)

    def cancel_redelivery(self, *, redelivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Redelivery:
        """Cancel a redelivery. Notifications that are already queued are still sent."""
        return self._invoke("cancelRedelivery", {"appId": app_id, "redeliveryId": redelivery_id}, None, None)

    def report_order_events(self, *, body: OrderEvents) -> OrderEventResults:
        """Report up to 1,000 order events of any businesses, with one result per event."""
        return self._invoke("reportOrderEvents", {}, body, None)

    def open_order(self, *, business_id: Uuid, body: Optional[OrderRequest] = None, idempotency_key: Optional[str] = None) -> Order:
        """Open an order at a terminal."""
        return self._invoke("openOrder", {"businessId": business_id}, body, idempotency_key)

    def get_order(self, *, business_id: Uuid, order_id: Uuid) -> Order:
        """Get an order. Every order event links here."""
        return self._invoke("getOrder", {"businessId": business_id, "orderId": order_id}, None, None)

    def update_order(self, *, business_id: Uuid, order_id: Uuid, body: Optional[OrderChanges] = None) -> Order:
        """Edit, complete or cancel an open order."""
        return self._invoke("updateOrder", {"businessId": business_id, "orderId": order_id}, body, None)

    def list_test_clocks(self, *, business_id: Uuid) -> TestClockList:
        """List the test clock of a test merchant."""
        return self._invoke("listTestClocks", {"businessId": business_id}, None, None)

    def create_test_clock(self, *, body: TestClockRequest, idempotency_key: Optional[str] = None) -> TestClock:
        """Create a test clock for a test merchant."""
        return self._invoke("createTestClock", {}, body, idempotency_key)

    def get_test_clock(self, *, test_clock_id: Uuid) -> TestClock:
        """Get a test clock: its time, status and target."""
        return self._invoke("getTestClock", {"testClockId": test_clock_id}, None, None)

    def delete_test_clock(self, *, test_clock_id: Uuid) -> None:
        """Delete a test clock. Its live subscriptions end, and the merchant returns to real time."""
        return self._invoke("deleteTestClock", {"testClockId": test_clock_id}, None, None)

    def advance_test_clock(self, *, body: TestClockAdvance, test_clock_id: Uuid) -> TestClock:
        """Advance a test clock. The response waits until all billing, charges and events up to the target are done."""
        return self._invoke("advanceTestClock", {"testClockId": test_clock_id}, body, None)

    def freeze_test_clock(self, *, test_clock_id: Uuid, idempotency_key: Optional[str] = None) -> TestClock:
        """Stop a test clock at its current time. A running advance returns the reached instant."""
        return self._invoke("freezeTestClock", {"testClockId": test_clock_id}, None, idempotency_key)

    def list_audit(self, *, kind: Optional[Literal["BRAND", "ORGANIZATION", "ORGANIZATION_BOOKING", "PAYOUT_ACCOUNT", "PAYOUT_TRANSFER", "SELLER", "APP", "APP_KEY", "SIGNING_KEY", "RELEASE", "RELEASE_MESSAGE", "NOTE", "PLAN", "BUSINESS", "STORE", "DEVICE", "DEVICE_KEY", "BUSINESS_USER", "APPROVAL", "INSTALLED_APP", "APP_PERMISSIONS", "PAYMENT_METHOD", "SUBSCRIPTION", "INVOICE", "DISPUTE_EVIDENCE", "CHARGE", "REFUND", "HOOK", "REDELIVERY", "APP_ENDING", "CATCH_UP", "TAX_SETTINGS", "TAX_RATE", "ORDER", "PURCHASE", "TEST_CLOCK", "USER", "MEMBERSHIP", "VIEWING", "INVITATION", "SECOND_FACTOR"]] = None, resource_id: Optional[str] = None, principal: Optional[str] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> AuditList:
        """List the changes made by requests, with the values before and after, newest first."""
        return self._invoke("listAudit", {"kind": kind, "resourceId": resource_id, "principal": principal, "startAt": start_at, "endAt": end_at, "limit": limit, "after": after}, None, None)

    def list_app_requests(self, *, app_id: Optional[AppUrn] = None, method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = None, http_status: Optional[str] = None, request_id: Optional[str] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ApiRequestList:
        """List the requests of an app's tokens in the last 7 days, newest first."""
        return self._invoke("listAppRequests", {"appId": app_id, "method": method, "httpStatus": http_status, "requestId": request_id, "startAt": start_at, "endAt": end_at, "limit": limit, "after": after}, None, None)

    def get_brand(self) -> Brand:
        """Get the brand of pages, mails and documents."""
        return self._invoke("getBrand", {}, None, None)

    def change_brand(self, *, body: BrandRequest) -> Brand:
        """Set the brand, optionally with a logo. Absent fields are cleared; without a file the logo stays."""
        return self._invoke("changeBrand", {}, body, None)

    def remove_logo(self) -> None:
        """Remove the logo. Pages then show the first letter of the name."""
        return self._invoke("removeLogo", {}, None, None)

    def list_upcoming_charges(self, *, days: Optional[int] = None, count: Optional[int] = None, after: Optional[str] = None) -> Upcoming:
        """List the charges of the next days, assuming that every charge succeeds."""
        return self._invoke("listUpcomingCharges", {"days": days, "count": count, "after": after}, None, None)

    def list_unsettled_charges(self, *, state: Optional[Literal["UNSETTLED", "IN_FLIGHT", "UNKNOWN", "WAITING", "STUCK"]] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> UnsettledCharges:
        """List charges without an outcome: in progress, unknown, waiting or stuck."""
        return self._invoke("listUnsettledCharges", {"state": state, "count": count, "after": after}, None, None)

    def poll_charge(self, *, charge_id: Uuid, idempotency_key: Optional[str] = None) -> UnsettledCharge:
        """Poll a charge without an outcome now, instead of at `nextPollAt`. A charge with an outcome does not change."""
        return self._invoke("pollCharge", {"chargeId": charge_id}, None, idempotency_key)

    def list_unsettled_refunds(self, *, state: Optional[Literal["UNSETTLED", "STUCK"]] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> UnsettledRefunds:
        """List refunds without an outcome: in progress or stuck."""
        return self._invoke("listUnsettledRefunds", {"state": state, "count": count, "after": after}, None, None)

    def list_quarantined(self, *, count: Optional[int] = None) -> QuarantinedList:
        """List quarantined rows with their errors and next retries, most failures first."""
        return self._invoke("listQuarantined", {"count": count}, None, None)

    def get_revenue(self, *, month: Optional[str] = None, currency: Optional[str] = None) -> Revenue:
        """Get recurring revenue, trial conversion, churn and recovery of a month, by currency."""
        return self._invoke("getRevenue", {"month": month, "currency": currency}, None, None)

    def get_daily_revenue(self, *, from_: Optional[str] = None, to: Optional[str] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, plan_id: Optional[Uuid] = None, currency: Optional[str] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> DailyRevenue:
        """Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days."""
        return self._invoke("getDailyRevenue", {"from": from_, "to": to, "organizationId": organization_id, "appId": app_id, "planId": plan_id, "currency": currency, "merchantType": merchant_type}, None, None)

    def get_revenue_by_country(self, *, from_: Optional[str] = None, to: Optional[str] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, currency: Optional[str] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> CountryRevenue:
        """Get current MRR and subscribers, and the payments and refunds of months, by currency and country."""
        return self._invoke("getRevenueByCountry", {"from": from_, "to": to, "organizationId": organization_id, "appId": app_id, "currency": currency, "merchantType": merchant_type}, None, None)

    def list_reconciliations(self) -> Reconciliations:
        """List the daily comparisons with the gateways' books, the open discrepancies, and the owed refunds."""
        return self._invoke("listReconciliations", {}, None, None)

    def receive_gateway_event(self, *, gateway: str) -> GatewayEventReceipt:
        """Receive a signed event of a payment gateway. Each event is stored once and applied after the response."""
        return self._invoke("receiveGatewayEvent", {"gateway": gateway}, None, None)

    def run_invariant_checks(self, *, check: Optional[Literal["periodsContiguous", "periodsBilled", "chargedOnce", "oneChargeObject", "gatewayMatches", "chargedInTime", "ledgerBalances", "totalsMatch", "revenueMatches", "revenueDaysMatch", "revenueCountriesMatch", "shareReturned", "taxMatches", "taxTotalsMatch", "linesAddUp", "creditMatches", "creditWithinPaid", "moneyMatches", "refundsWithinPaid", "disputesMatch", "numbersWithoutGap", "eventsOnce", "eventsComplete", "eventsInOrder", "everythingScheduled", "nothingOverdue"]] = None) -> Checks:
        """Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check."""
        return self._invoke("runInvariantChecks", {"check": check}, None, None)

    def get_user(self, *, user_id: Uuid) -> User:
        """Get a user."""
        return self._invoke("getUser", {"userId": user_id}, None, None)

    def change_user(self, *, body: UserChange, user_id: Uuid) -> User:
        """Disable a user and end all sessions, or enable the user again."""
        return self._invoke("changeUser", {"userId": user_id}, body, None)

    def list_people(self, *, kind: Literal["MERCHANT", "DEVELOPER", "OPERATOR"], organization_id: Optional[Uuid] = None, business_id: Optional[Uuid] = None) -> People:
        """List the people of a business, an organization or the operator."""
        return self._invoke("listPeople", {"kind": kind, "organizationId": organization_id, "businessId": business_id}, None, None)

    def accept_invitation(self, *, body: Acceptance, idempotency_key: Optional[str] = None) -> Membership:
        """Accept an invitation, with a new account or the existing account of the address."""
        return self._invoke("acceptInvitation", {}, body, idempotency_key)

    def change_role(self, *, body: RoleChange, membership_id: Uuid) -> Person:
        """Change the role of a person."""
        return self._invoke("changeRole", {"membershipId": membership_id}, body, None)

    def remove_person(self, *, membership_id: Uuid) -> None:
        """Remove a person from a workspace."""
        return self._invoke("removePerson", {"membershipId": membership_id}, None, None)

    def list_invitations(self, *, kind: Literal["MERCHANT", "DEVELOPER", "OPERATOR"], organization_id: Optional[Uuid] = None, business_id: Optional[Uuid] = None) -> InvitationList:
        """List invitations, newest first."""
        return self._invoke("listInvitations", {"kind": kind, "organizationId": organization_id, "businessId": business_id}, None, None)

    def invite(self, *, body: InvitationRequest, idempotency_key: Optional[str] = None) -> Invitation:
        """Invite a person by mail."""
        return self._invoke("invite", {}, body, idempotency_key)

    def revoke_invitation(self, *, invitation_id: Uuid) -> None:
        """Revoke an invitation."""
        return self._invoke("revokeInvitation", {"invitationId": invitation_id}, None, None)

    def list_sessions(self) -> SessionList:
        """List my sessions."""
        return self._invoke("listSessions", {}, None, None)

    def sign_in(self, *, body: SignIn) -> OpenedSession:
        """Sign in. The response has the bearer token of the session."""
        return self._invoke("signIn", {}, body, None)

    def get_current_session(self) -> CurrentSession:
        """Get my current session and my memberships."""
        return self._invoke("getCurrentSession", {}, None, None)

    def choose_membership(self, *, body: MembershipChoice) -> CurrentSession:
        """Switch my session to another membership."""
        return self._invoke("chooseMembership", {}, body, None)

    def sign_out(self) -> None:
        """Sign out."""
        return self._invoke("signOut", {}, None, None)

    def end_session(self, *, session_id: Uuid) -> None:
        """End one of my sessions."""
        return self._invoke("endSession", {"sessionId": session_id}, None, None)

    def start_device_login(self) -> DeviceLogin:
        """Start a login that a person approves in the browser (RFC 8628)."""
        return self._invoke("startDeviceLogin", {}, None, None)

    def poll_device_login(self, *, body: DevicePoll) -> OpenedSession:
        """Poll for the session of an approved login (RFC 8628)."""
        return self._invoke("pollDeviceLogin", {}, body, None)

    def get_account(self) -> Account:
        """Get my account."""
        return self._invoke("getAccount", {}, None, None)

    def change_account(self, *, body: AccountChange) -> Account:
        """Change my name."""
        return self._invoke("changeAccount", {}, body, None)

    def change_password(self, *, body: PasswordChange, idempotency_key: Optional[str] = None) -> None:
        """Change my password and end my other sessions."""
        return self._invoke("changePassword", {}, body, idempotency_key)

    def set_up_second_factor(self, *, body: SecondFactorRequest, idempotency_key: Optional[str] = None) -> SecondFactor:
        """Create a secret for an authenticator app."""
        return self._invoke("setUpSecondFactor", {}, body, idempotency_key)

    def confirm_second_factor(self, *, body: SecondFactorConfirmation, idempotency_key: Optional[str] = None) -> RecoveryCodes:
        """Confirm the second factor with a first code. Later sign-ins require a code."""
        return self._invoke("confirmSecondFactor", {}, body, idempotency_key)

    def renew_recovery_codes(self, *, body: Confirmation, idempotency_key: Optional[str] = None) -> RecoveryCodes:
        """Replace my recovery codes."""
        return self._invoke("renewRecoveryCodes", {}, body, idempotency_key)

    def remove_second_factor(self, *, body: Confirmation, idempotency_key: Optional[str] = None) -> None:
        """Remove my second factor."""
        return self._invoke("removeSecondFactor", {}, body, idempotency_key)

    def request_password_reset(self, *, body: PasswordResetRequest, idempotency_key: Optional[str] = None) -> None:
        """Send a password reset link to an address, if the address has an account."""
        return self._invoke("requestPasswordReset", {}, body, idempotency_key)

    def complete_password_reset(self, *, body: PasswordResetCompletion, idempotency_key: Optional[str] = None) -> None:
        """Set a new password with a reset link and end every session."""
        return self._invoke("completePasswordReset", {}, body, idempotency_key)

    def list_business_users(self, *, business_id: Uuid) -> BusinessUserList:
        """List the terminal users of a business."""
        return self._invoke("listBusinessUsers", {"businessId": business_id}, None, None)

    def create_business_user(self, *, body: BusinessUserRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> BusinessUser:
        """Create a user who signs in on the terminals of a business."""
        return self._invoke("createBusinessUser", {"businessId": business_id}, body, idempotency_key)

    def update_business_user(self, *, business_id: Uuid, business_user_id: Uuid, body: Optional[BusinessUserChanges] = None) -> BusinessUser:
        """Update a terminal user. A new passcode or DISABLED ends the user's sessions."""
        return self._invoke("updateBusinessUser", {"businessId": business_id, "businessUserId": business_user_id}, body, None)

    def remove_business_user(self, *, business_id: Uuid, business_user_id: Uuid) -> None:
        """Remove a terminal user and end the user's sessions."""
        return self._invoke("removeBusinessUser", {"businessId": business_id, "businessUserId": business_user_id}, None, None)

    def activate_device(self, *, body: Activation, idempotency_key: Optional[str] = None) -> ActivatedDevice:
        """Activate a terminal: exchange its code for a key."""
        return self._invoke("activateDevice", {}, body, idempotency_key)

    def close_device(self, *, business_id: Uuid, device_id: DeviceUrn) -> None:
        """Close a terminal permanently. Its key, tokens and sessions end; its subscriptions continue."""
        return self._invoke("closeDevice", {"businessId": business_id, "deviceId": device_id}, None, None)

    def close_store(self, *, business_id: Uuid, store_id: Uuid) -> None:
        """Close a store and its terminals permanently. Subscriptions of the store must be moved or cancelled before."""
        return self._invoke("closeStore", {"businessId": business_id, "storeId": store_id}, None, None)

    def get_app_at_terminal(self, *, package_name: str) -> AppAtTerminal:
        """Get the name, developer and icon of an app for a terminal."""
        return self._invoke("getAppAtTerminal", {"packageName": package_name}, None, None)

    def report_installed_app(self, *, body: InstalledAppReport, package_name: str) -> InstalledApp:
        """Report that an app was installed or updated on this terminal. The terminal may then call for the app."""
        return self._invoke("reportInstalledApp", {"packageName": package_name}, body, None)

    def report_removed_app(self, *, package_name: str) -> None:
        """Report that an app is not installed on this terminal."""
        return self._invoke("reportRemovedApp", {"packageName": package_name}, None, None)

    def list_subscriptions_at_terminal(self, *, package_name: str, status: Optional[Literal["PENDING", "ACTIVE", "ENDED", "ALL"]] = None, start: Optional[int] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionPage:
        """List the merchant's subscriptions to an app for this terminal."""
        return self._invoke("listSubscriptionsAtTerminal", {"packageName": package_name, "status": status, "start": start, "count": count, "after": after}, None, None)

    def sign_subscriptions_at_terminal(self, *, package_name: str) -> SignedSubscriptions:
        """Get a signed list of the merchant's active subscriptions to an app, for use without a connection."""
        return self._invoke("signSubscriptionsAtTerminal", {"packageName": package_name}, None, None)

    def list_plans_at_terminal(self, *, package_name: str, status: Optional[Literal["INACTIVE", "ACTIVE"]] = None, start: Optional[int] = None, count: Optional[int] = None) -> PlanPage:
        """List the plans of an app with the merchant's prices."""
        return self._invoke("listPlansAtTerminal", {"packageName": package_name, "status": status, "start": start, "count": count}, None, None)

    def issue_user_token(self, *, package_name: str) -> UserToken:
        """Issue an access token to an app for the signed-in user, valid for an hour."""
        return self._invoke("issueUserToken", {"packageName": package_name}, None, None)

    def open_purchase_at_terminal(self, *, package_name: str, body: Optional[PurchaseRequest] = None, idempotency_key: Optional[str] = None) -> Purchase:
        """Open a purchase for the signed-in user and get the address of its screen."""
        return self._invoke("openPurchaseAtTerminal", {"packageName": package_name}, body, idempotency_key)

    def get_purchase_at_terminal(self, *, purchase_id: Uuid) -> Purchase:
        """Get a purchase of this terminal and its outcome."""
        return self._invoke("getPurchaseAtTerminal", {"purchaseId": purchase_id}, None, None)

    def cancel_purchase_at_terminal(self, *, purchase_id: Uuid) -> Purchase:
        """Cancel a purchase of this terminal."""
        return self._invoke("cancelPurchaseAtTerminal", {"purchaseId": purchase_id}, None, None)

    def approve_permissions_at_terminal(self, *, body: PermissionsApproval, package_name: str, idempotency_key: Optional[str] = None) -> InstalledApp:
        """Approve permissions of an installed app for the merchant, as the signed-in manager."""
        return self._invoke("approvePermissionsAtTerminal", {"packageName": package_name}, body, idempotency_key)

    def search_terminals(self, *, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, store_id: Optional[Uuid] = None, status: Optional[Literal["NEW", "ACTIVE", "CLOSED"]] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> TerminalList:
        """List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed."""
        return self._invoke("searchTerminals", {"organizationId": organization_id, "appId": app_id, "businessId": business_id, "storeId": store_id, "status": status, "merchantType": merchant_type, "q": q, "limit": limit, "after": after}, None, None)

    def sign_in_at_terminal(self, *, body: TerminalSignIn) -> TerminalSession:
        """Sign a user in on this terminal. The session ends after 15 idle minutes."""
        return self._invoke("signInAtTerminal", {}, body, None)

    def sign_out_at_terminal(self) -> None:
        """Sign the user out of this terminal. Succeeds also if nobody is signed in."""
        return self._invoke("signOutAtTerminal", {}, None, None)

    def get_health(self) -> Health:
        """Get the health of the process: queued and quarantined work."""
        return self._invoke("getHealth", {}, None, None)

    def get_readiness(self) -> Readiness:
        """Check whether the process is ready for requests."""
        return self._invoke("getReadiness", {}, None, None)

    def get_open_api(self) -> Dict[str, Any]:
        """Get this document as OpenAPI 3.1."""
        return self._invoke("getOpenApi", {}, None, None)


class AsyncOperations:
    """One coroutine for each JSON operation of the contract."""

    async def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

    async def revoke_app_key(self, *, kid: str, app_id: Optional[AppUrn] = None) -> None:
        """Revoke a key of an app and its tokens."""
        return await self._invoke("revokeAppKey", {"appId": app_id, "kid": kid}, None, None)

    async def rotate_signing_key(self) -> SigningKey:
        """Rotate the signing key of access tokens: the new key is published at once and signs ten minutes later."""
        return await self._invoke("rotateSigningKey", {}, None, None)

    async def get_key_set(self) -> KeySet:
        """Get the public keys of access tokens."""
        return await self._invoke("getKeySet", {}, None, None)

    async def list_organizations(self, *, organization_id: Optional[Uuid] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> OrganizationList:
        """List organizations by name, e-mail or id, newest first."""
        return await self._invoke("listOrganizations", {"organizationId": organization_id, "q": q, "limit": limit, "after": after}, None, None)

    async def create_organization(self, *, body: OrganizationRequest, idempotency_key: Optional[str] = None) -> Organization:
        """Create a developer organization."""
        return await self._invoke("createOrganization", {}, body, idempotency_key)

    async def get_organization(self, *, organization_id: Uuid) -> Organization:
        """Get an organization."""
        return await self._invoke("getOrganization", {"organizationId": organization_id}, None, None)

    async def update_organization(self, *, organization_id: Uuid, body: Optional[OrganizationChanges] = None) -> Organization:
        """Change the name or e-mail of an organization. Issued invoices keep the old values."""
        return await self._invoke("updateOrganization", {"organizationId": organization_id}, body, None)

    async def get_seller(self, *, organization_id: Uuid) -> Seller:
        """Get the seller data of an organization for new invoices."""
        return await self._invoke("getSeller", {"organizationId": organization_id}, None, None)

    async def name_seller(self, *, body: SellerRequest, organization_id: Uuid) -> Seller:
        """Set the seller data of an organization for new invoices."""
        return await self._invoke("nameSeller", {"organizationId": organization_id}, body, None)

    async def list_apps(self, *, organization_id: Optional[Uuid] = None, status: Optional[Literal["ACTIVE", "DISABLED"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> AppList:
        """List apps by name, package name or id, newest first."""
        return await self._invoke("listApps", {"organizationId": organization_id, "status": status, "q": q, "limit": limit, "after": after}, None, None)

    async def create_app(self, *, body: AppRequest, idempotency_key: Optional[str] = None) -> App:
        """Create an app, optionally with an icon."""
        return await self._invoke("createApp", {}, body, idempotency_key)

    async def get_app(self, *, app_id: Optional[AppUrn] = None) -> App:
        """Get an app."""
        return await self._invoke("getApp", {"appId": app_id}, None, None)

    async def update_app(self, *, app_id: Optional[AppUrn] = None, body: Optional[AppChanges] = None) -> App:
        """Update an app or its icon, or disable or enable the app."""
        return await self._invoke("updateApp", {"appId": app_id}, body, None)

    async def add_app_key(self, *, app_id: Optional[AppUrn] = None, body: Optional[AppKeyRequest] = None, idempotency_key: Optional[str] = None) -> AppKey:
        """Add a key to an app."""
        return await self._invoke("addAppKey", {"appId": app_id}, body, idempotency_key)

    async def remove_app_icon(self, *, app_id: Optional[AppUrn] = None) -> None:
        """Remove the icon of an app."""
        return await self._invoke("removeAppIcon", {"appId": app_id}, None, None)

    async def list_releases(self, *, app_id: Optional[AppUrn] = None, start: Optional[int] = None, count: Optional[int] = None) -> ReleasePage:
        """List the releases of an app, without plans."""
        return await self._invoke("listReleases", {"appId": app_id, "start": start, "count": count}, None, None)

    async def submit_release(self, *, body: ReleaseRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Submit a release of an app for review, with plans and optionally a package."""
        return await self._invoke("submitRelease", {"appId": app_id}, body, idempotency_key)

    async def list_all_releases(self, *, organization_id: Optional[Uuid] = None, status: Optional[Literal["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ReleaseList:
        """List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review."""
        return await self._invoke("listAllReleases", {"organizationId": organization_id, "status": status, "limit": limit, "after": after}, None, None)

    async def get_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None) -> Release:
        """Get a release with its plans."""
        return await self._invoke("getRelease", {"appId": app_id, "releaseId": release_id}, None, None)

    async def approve_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Approve a release and activate its plans."""
        return await self._invoke("approveRelease", {"appId": app_id, "releaseId": release_id}, None, idempotency_key)

    async def reject_release(self, *, body: Rejection, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Reject a release with a reason."""
        return await self._invoke("rejectRelease", {"appId": app_id, "releaseId": release_id}, body, idempotency_key)

    async def withdraw_release(self, *, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Withdraw a release from review and delete its package."""
        return await self._invoke("withdrawRelease", {"appId": app_id, "releaseId": release_id}, None, idempotency_key)

    async def write_release_message(self, *, body: ReleaseMessageRequest, release_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Release:
        """Ask the developer about a release in review, or answer the operator's question."""
        return await self._invoke("writeReleaseMessage", {"appId": app_id, "releaseId": release_id}, body, idempotency_key)

    async def list_plans(self, *, app_id: Optional[AppUrn] = None, status: Optional[Literal["INACTIVE", "ACTIVE"]] = None, start: Optional[int] = None, count: Optional[int] = None) -> PlanPage:
        """List the plans of an app."""
        return await self._invoke("listPlans", {"appId": app_id, "status": status, "start": start, "count": count}, None, None)

    async def retire_plan(self, *, plan_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Plan:
        """Retire a plan: it accepts no new subscribers."""
        return await self._invoke("retirePlan", {"appId": app_id, "planId": plan_id}, None, idempotency_key)

    async def search_businesses(self, *, organization_id: Optional[Uuid] = None, type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> BusinessList:
        """List businesses by name, e-mail or id, newest first, without stores."""
        return await self._invoke("searchBusinesses", {"organizationId": organization_id, "type": type, "q": q, "limit": limit, "after": after}, None, None)

    async def find_business(self, *, store_device_id: DeviceUrn) -> Business:
        """Find the business of a terminal."""
        return await self._invoke("findBusiness", {"storeDeviceId": store_device_id}, None, None)

    async def create_business(self, *, body: BusinessRequest, idempotency_key: Optional[str] = None) -> Business:
        """Create a merchant or a test merchant."""
        return await self._invoke("createBusiness", {}, body, idempotency_key)

    async def get_business(self, *, business_id: Uuid) -> Business:
        """Get a business with its stores and devices."""
        return await self._invoke("getBusiness", {"businessId": business_id}, None, None)

    async def update_business(self, *, business_id: Uuid, body: Optional[BusinessChanges] = None) -> Business:
        """Update a business."""
        return await self._invoke("updateBusiness", {"businessId": business_id}, body, None)

    async def add_store(self, *, body: StoreRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> Store:
        """Create a store."""
        return await self._invoke("addStore", {"businessId": business_id}, body, idempotency_key)

    async def add_device(self, *, body: DeviceRequest, business_id: Uuid, store_id: Uuid, idempotency_key: Optional[str] = None) -> Device:
        """Create a terminal and get its activation code."""
        return await self._invoke("addDevice", {"businessId": business_id, "storeId": store_id}, body, idempotency_key)

    async def renew_activation_code(self, *, business_id: Uuid, device_id: DeviceUrn, idempotency_key: Optional[str] = None) -> ActivationCode:
        """Create a new activation code for a terminal."""
        return await self._invoke("renewActivationCode", {"businessId": business_id, "deviceId": device_id}, None, idempotency_key)

    async def list_approvals(self, *, business_id: Uuid) -> ApprovalList:
        """List the apps that a business has approved."""
        return await self._invoke("listApprovals", {"businessId": business_id}, None, None)

    async def approve_app(self, *, body: ApprovalRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> Approval:
        """Approve an app, or change its approved rights."""
        return await self._invoke("approveApp", {"businessId": business_id}, body, idempotency_key)

    async def list_subscriptions(self, *, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, store_id: Optional[Uuid] = None, device_id: Optional[DeviceUrn] = None, plan_id: Optional[Uuid] = None, status: Optional[Literal["PENDING", "ACTIVE", "ENDED", "ALL"]] = None, start: Optional[int] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionPage:
        """List the subscriptions of an app: active ones of all merchants, unless filtered."""
        return await self._invoke("listSubscriptions", {"appId": app_id, "businessId": business_id, "storeId": store_id, "deviceId": device_id, "planId": plan_id, "status": status, "start": start, "count": count, "after": after}, None, None)

    async def subscribe(self, *, body: SubscriptionRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Union[Subscription, SubscriptionOrPurchase]:
        """Subscribe a merchant to a plan. The response waits up to 5 s for the first payment; without an outcome the subscription is PENDING (202). Without the right SUBSCRIBE the merchant must confirm a purchase (202)."""
        return await self._invoke("subscribe", {"appId": app_id}, body, idempotency_key)

    async def get_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> Subscription:
        """Get a subscription. Every billing event links here."""
        return await self._invoke("getSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, None)

    async def change_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, body: Optional[SubscriptionChange] = None) -> Union[Subscription, Purchase]:
        """Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202)."""
        return await self._invoke("changeSubscription", {"appId": app_id, "subscriptionId": subscription_id}, body, None)

    async def cancel_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> Subscription:
        """Cancel a subscription, at once or at the end of the paid period, as the plan defines."""
        return await self._invoke("cancelSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, None)

    async def restore_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Union[Subscription, Purchase]:
        """Undo a scheduled cancellation. Without the right SUBSCRIBE the merchant must confirm (202)."""
        return await self._invoke("restoreSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, idempotency_key)

    async def end_subscription(self, *, subscription_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> Subscription:
        """End a subscription now, as the operator."""
        return await self._invoke("endSubscription", {"appId": app_id, "subscriptionId": subscription_id}, None, idempotency_key)

    async def preview_plan_change(self, *, body: PlanChange, subscription_id: Uuid, app_id: Optional[AppUrn] = None) -> PlanChangePreview:
        """Preview a plan change: the lines of its invoice and the credit. Nothing is stored."""
        return await self._invoke("previewPlanChange", {"appId": app_id, "subscriptionId": subscription_id}, body, None)

    async def get_purchase(self, *, purchase_id: Uuid, app_id: Optional[AppUrn] = None) -> Purchase:
        """Get a purchase and its outcome."""
        return await self._invoke("getPurchase", {"appId": app_id, "purchaseId": purchase_id}, None, None)

    async def list_invoices(self, *, business_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> InvoicePage:
        """List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions."""
        return await self._invoke("listInvoices", {"businessId": business_id, "start": start, "count": count}, None, None)

    async def get_invoice(self, *, business_id: Uuid, invoice_id: Uuid) -> Invoice:
        """Get an invoice. Payment and refund events link here."""
        return await self._invoke("getInvoice", {"businessId": business_id, "invoiceId": invoice_id}, None, None)

    async def search_subscriptions(self, *, status: Optional[Literal["PENDING", "ACTIVE", "ENDED"]] = None, phase: Optional[Literal["TRIAL", "FULL"]] = None, payment_status: Optional[Literal["CURRENT", "PAST_DUE"]] = None, plan_id: Optional[Uuid] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionList:
        """List the subscriptions of all visible apps, newest first."""
        return await self._invoke("searchSubscriptions", {"status": status, "phase": phase, "paymentStatus": payment_status, "planId": plan_id, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    async def search_invoices(self, *, status: Optional[Literal["OPEN", "PAID", "UNCOLLECTIBLE", "VOID"]] = None, subscription_id: Optional[Uuid] = None, number: Optional[str] = None, refunded: Optional[bool] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> InvoiceList:
        """List the invoices of all visible apps, newest first, without lines and attempts."""
        return await self._invoke("searchInvoices", {"status": status, "subscriptionId": subscription_id, "number": number, "refunded": refunded, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    async def search_charges(self, *, status: Optional[Literal["SUCCEEDED", "DECLINED", "IN_FLIGHT", "PENDING", "ACTION_REQUIRED", "UNKNOWN", "WITHDRAWN"]] = None, invoice_id: Optional[Uuid] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ChargeList:
        """List the charges of all visible apps, newest first."""
        return await self._invoke("searchCharges", {"status": status, "invoiceId": invoice_id, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    async def search_disputes(self, *, status: Optional[Literal["OPEN", "LOST", "WON"]] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DisputeList:
        """List the disputes of all visible apps, newest first."""
        return await self._invoke("searchDisputes", {"status": status, "organizationId": organization_id, "appId": app_id, "businessId": business_id, "merchantType": merchant_type, "startAt": start_at, "endAt": end_at, "q": q, "limit": limit, "after": after}, None, None)

    async def get_dispute(self, *, dispute_id: Uuid) -> AnsweredDispute:
        """Get a dispute with its deadline and the evidence that was sent."""
        return await self._invoke("getDispute", {"disputeId": dispute_id}, None, None)

    async def send_evidence(self, *, dispute_id: Uuid, body: Optional[EvidenceRequest] = None, idempotency_key: Optional[str] = None) -> AnsweredDispute:
        """Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later."""
        return await self._invoke("sendEvidence", {"disputeId": dispute_id}, body, idempotency_key)

    async def refund_invoice(self, *, business_id: Uuid, invoice_id: Uuid, body: Optional[RefundRequest] = None, idempotency_key: Optional[str] = None) -> Refund:
        """Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund."""
        return await self._invoke("refundInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, idempotency_key)

    async def dispute_invoice(self, *, body: DisputeRequest, business_id: Uuid, invoice_id: Uuid) -> Dispute:
        """Open or decide a dispute of a test merchant's payment."""
        return await self._invoke("disputeInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, None)

    async def pay_invoice(self, *, business_id: Uuid, invoice_id: Uuid, body: Optional[PayInvoiceRequest] = None, idempotency_key: Optional[str] = None) -> Invoice:
        """Charge an open invoice now. The outcome is in the invoice and in an event."""
        return await self._invoke("payInvoice", {"businessId": business_id, "invoiceId": invoice_id}, body, idempotency_key)

    async def list_payment_methods(self, *, business_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> PaymentMethodList:
        """List the payment methods of a merchant, the default first."""
        return await self._invoke("listPaymentMethods", {"businessId": business_id, "start": start, "count": count}, None, None)

    async def add_payment_method(self, *, body: PaymentMethodRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> PaymentMethod:
        """Save a payment method as the default, and charge past-due invoices."""
        return await self._invoke("addPaymentMethod", {"businessId": business_id}, body, idempotency_key)

    async def begin_payment_method(self, *, body: PaymentMethodSetupRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> PaymentMethodSetup:
        """Begin saving a card with the gateway's own page element, so that Tillhook sees no card number."""
        return await self._invoke("beginPaymentMethod", {"businessId": business_id}, body, idempotency_key)

    async def set_default_payment_method(self, *, business_id: Uuid, payment_method_id: Uuid) -> PaymentMethod:
        """Make a payment method the default, and charge past-due invoices with it."""
        return await self._invoke("setDefaultPaymentMethod", {"businessId": business_id, "paymentMethodId": payment_method_id}, None, None)

    async def remove_payment_method(self, *, business_id: Uuid, payment_method_id: Uuid) -> None:
        """Remove a payment method. The default of a live paid subscription cannot be removed."""
        return await self._invoke("removePaymentMethod", {"businessId": business_id, "paymentMethodId": payment_method_id}, None, None)

    async def end_app_subscriptions(self, *, body: AppEndingRequest, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> AppEnding:
        """End all subscriptions of a disabled app, in the background."""
        return await self._invoke("endAppSubscriptions", {"appId": app_id}, body, idempotency_key)

    async def get_app_ending(self, *, ending_id: Uuid, app_id: Optional[AppUrn] = None) -> AppEnding:
        """Get the progress of ending all subscriptions of an app."""
        return await self._invoke("getAppEnding", {"appId": app_id, "endingId": ending_id}, None, None)

    async def get_catch_up(self) -> CatchUpReport:
        """Get the last billing outage of more than a day, and its missed charges."""
        return await self._invoke("getCatchUp", {}, None, None)

    async def decide_catch_up(self, *, body: CatchUpDecision, idempotency_key: Optional[str] = None) -> CatchUp:
        """Decide about the missed charges of an outage: charge now, spread over days, or waive."""
        return await self._invoke("decideCatchUp", {}, body, idempotency_key)

    async def get_organization_balance(self, *, organization_id: Uuid) -> OrganizationBalance:
        """Get the balance of a developer in each currency."""
        return await self._invoke("getOrganizationBalance", {"organizationId": organization_id}, None, None)

    async def list_statements(self, *, organization_id: Uuid, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> StatementList:
        """List the months with bookings, newest first."""
        return await self._invoke("listStatements", {"organizationId": organization_id, "merchantType": merchant_type}, None, None)

    async def get_statement(self, *, organization_id: Uuid, month: str, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, currency: Optional[str] = None) -> Statement:
        """Get the statement of a month: bookings by plan, and the balance before and after."""
        return await self._invoke("getStatement", {"organizationId": organization_id, "month": month, "merchantType": merchant_type, "currency": currency}, None, None)

    async def get_business_balance(self, *, business_id: Uuid) -> BusinessBalance:
        """Get the payments and the credit of a merchant. A developer sees only its own apps."""
        return await self._invoke("getBusinessBalance", {"businessId": business_id}, None, None)

    async def get_operator_balance(self) -> OperatorBalance:
        """Get the operator's share, gateway fees and debts to developers, in each currency."""
        return await self._invoke("getOperatorBalance", {}, None, None)

    async def get_tax_report(self, *, month: str, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, organization_id: Optional[Uuid] = None) -> TaxReport:
        """Get the collected and returned tax of a month by country and rate."""
        return await self._invoke("getTaxReport", {"month": month, "merchantType": merchant_type, "organizationId": organization_id}, None, None)

    async def list_payouts(self, *, organization_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> OrganizationBookingList:
        """List payouts, fees and adjustments of a developer, newest first."""
        return await self._invoke("listPayouts", {"organizationId": organization_id, "start": start, "count": count}, None, None)

    async def book_payout(self, *, body: PayoutRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OrganizationBooking:
        """Book a payout to a developer, up to the owed amount."""
        return await self._invoke("bookPayout", {"organizationId": organization_id}, body, idempotency_key)

    async def book_adjustment(self, *, body: AdjustmentRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OrganizationBooking:
        """Book a gateway fee that the developer bears, or an adjustment of the developer's balance."""
        return await self._invoke("bookAdjustment", {"organizationId": organization_id}, body, idempotency_key)

    async def get_payout_account(self, *, organization_id: Uuid) -> PayoutAccount:
        """Get the payout account of a developer."""
        return await self._invoke("getPayoutAccount", {"organizationId": organization_id}, None, None)

    async def open_payout_account(self, *, organization_id: Uuid, idempotency_key: Optional[str] = None) -> OpenedPayoutAccount:
        """Open the payout account of a developer, or get a new link to complete the account."""
        return await self._invoke("openPayoutAccount", {"organizationId": organization_id}, None, idempotency_key)

    async def list_transfers(self, *, organization_id: Uuid, start: Optional[int] = None, count: Optional[int] = None) -> PayoutTransferList:
        """List the transfers to the payout account of a developer, newest first."""
        return await self._invoke("listTransfers", {"organizationId": organization_id, "start": start, "count": count}, None, None)

    async def order_transfer(self, *, body: PayoutTransferRequest, organization_id: Uuid, idempotency_key: Optional[str] = None) -> PayoutTransfer:
        """Transfer the closing balance of a statement to the payout account, up to the amount owed now."""
        return await self._invoke("orderTransfer", {"organizationId": organization_id}, body, idempotency_key)

    async def get_tax_settings(self, *, organization_id: Uuid) -> TaxSettings:
        """Get the source of an organization's tax rates, and the rates by country and date."""
        return await self._invoke("getTaxSettings", {"organizationId": organization_id}, None, None)

    async def choose_tax_source(self, *, body: TaxSettingsRequest, organization_id: Uuid) -> TaxSettings:
        """Choose the tax rates for new invoices of an organization."""
        return await self._invoke("chooseTaxSource", {"organizationId": organization_id}, body, None)

    async def set_tax_rate(self, *, body: TaxRateRequest, organization_id: Uuid, country: str, valid_from: str) -> TaxRate:
        """Set a tax rate of an organization from a date on. The rate applies if the source is OWN."""
        return await self._invoke("setTaxRate", {"organizationId": organization_id, "country": country, "validFrom": valid_from}, body, None)

    async def remove_tax_rate(self, *, organization_id: Uuid, country: str, valid_from: str) -> None:
        """Remove a tax rate of an organization."""
        return await self._invoke("removeTaxRate", {"organizationId": organization_id, "country": country, "validFrom": valid_from}, None, None)

    async def list_operator_tax_rates(self) -> TaxRateList:
        """List the operator's tax rates by country, latest date first."""
        return await self._invoke("listOperatorTaxRates", {}, None, None)

    async def set_operator_tax_rate(self, *, body: OperatorTaxRateRequest, country: str, valid_from: str) -> TaxRate:
        """Set a tax rate of the operator from a date on."""
        return await self._invoke("setOperatorTaxRate", {"country": country, "validFrom": valid_from}, body, None)

    async def remove_operator_tax_rate(self, *, country: str, valid_from: str) -> None:
        """Remove a tax rate of the operator."""
        return await self._invoke("removeOperatorTaxRate", {"country": country, "validFrom": valid_from}, None, None)

    async def list_hooks(self, *, application_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, active: Optional[bool] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> HookList:
        """List hooks in order of creation."""
        return await self._invoke("listHooks", {"applicationId": application_id, "businessId": business_id, "active": active, "limit": limit, "after": after}, None, None)

    async def register_hook(self, *, body: HookRequest) -> Hook:
        """Register a hook. A repeated registration returns the existing hook with the new secret."""
        return await self._invoke("registerHook", {}, body, None)

    async def get_hook(self, *, hook_id: Uuid) -> Hook:
        """Get a hook."""
        return await self._invoke("getHook", {"hookId": hook_id}, None, None)

    async def update_hook(self, *, hook_id: Uuid, body: Optional[HookChanges] = None) -> ChangedHook:
        """Update a hook. Absent fields stay unchanged."""
        return await self._invoke("updateHook", {"hookId": hook_id}, body, None)

    async def delete_hook(self, *, hook_id: Uuid) -> None:
        """Delete a hook. Its waiting deliveries end as ERRORED."""
        return await self._invoke("deleteHook", {"hookId": hook_id}, None, None)

    async def get_hook_health(self, *, hook_id: Uuid, from_: Optional[str] = None, to: Optional[str] = None) -> HookHours:
        """Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours."""
        return await self._invoke("getHookHealth", {"hookId": hook_id, "from": from_, "to": to}, None, None)

    async def rotate_hook_secret(self, *, hook_id: Uuid, body: Optional[RotateSecretRequest] = None, idempotency_key: Optional[str] = None) -> RotatedSecret:
        """Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets."""
        return await self._invoke("rotateHookSecret", {"hookId": hook_id}, body, idempotency_key)

    async def list_app_deliveries(self, *, app_id: Optional[AppUrn] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, hook_id: Optional[Uuid] = None, event_type: Optional[Literal["APPLICATION_SUBSCRIPTION_START", "APPLICATION_SUBSCRIPTION_END", "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS", "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL", "APPLICATION_SUBSCRIPTION_PHASE_CHANGE", "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS", "APPLICATION_SUBSCRIPTION_TRIAL_ENDING", "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED", "APPLICATION_SUBSCRIPTION_RESTORED", "APPLICATION_SUBSCRIPTION_PLAN_CHANGE", "APPLICATION_SUBSCRIPTION_TRANSFERRED", "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED", "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED", "ORDER_OPENED", "ORDER_COMPLETED", "ORDER_CANCELLED", "ORDER_UPDATED", "TEST"]] = None, resource_id: Optional[Uuid] = None, status: Optional[Literal["SCHEDULED", "ERRORED_RETRYING", "DELIVERED", "ERRORED"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DeliveryList:
        """List the notifications of an app of the last 30 days, newest first."""
        return await self._invoke("listAppDeliveries", {"appId": app_id, "startAt": start_at, "endAt": end_at, "hookId": hook_id, "eventType": event_type, "resourceId": resource_id, "status": status, "limit": limit, "after": after}, None, None)

    async def get_app_delivery(self, *, delivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Delivery:
        """Get a notification of an app with its delivery attempts."""
        return await self._invoke("getAppDelivery", {"appId": app_id, "deliveryId": delivery_id}, None, None)

    async def list_business_deliveries(self, *, business_id: Uuid, start_at: Optional[str] = None, end_at: Optional[str] = None, hook_id: Optional[Uuid] = None, event_type: Optional[Literal["APPLICATION_SUBSCRIPTION_START", "APPLICATION_SUBSCRIPTION_END", "APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS", "APPLICATION_SUBSCRIPTION_PAYMENT_FAIL", "APPLICATION_SUBSCRIPTION_PHASE_CHANGE", "APPLICATION_SUBSCRIPTION_REFUND_SUCCESS", "APPLICATION_SUBSCRIPTION_TRIAL_ENDING", "APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED", "APPLICATION_SUBSCRIPTION_RESTORED", "APPLICATION_SUBSCRIPTION_PLAN_CHANGE", "APPLICATION_SUBSCRIPTION_TRANSFERRED", "APPLICATION_SUBSCRIPTION_DISPUTE_OPENED", "APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED", "ORDER_OPENED", "ORDER_COMPLETED", "ORDER_CANCELLED", "ORDER_UPDATED", "TEST"]] = None, resource_id: Optional[Uuid] = None, status: Optional[Literal["SCHEDULED", "ERRORED_RETRYING", "DELIVERED", "ERRORED"]] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> DeliveryList:
        """List the notifications about a merchant of the last 30 days, newest first."""
        return await self._invoke("listBusinessDeliveries", {"businessId": business_id, "startAt": start_at, "endAt": end_at, "hookId": hook_id, "eventType": event_type, "resourceId": resource_id, "status": status, "limit": limit, "after": after}, None, None)

    async def get_business_delivery(self, *, business_id: Uuid, delivery_id: Uuid) -> Delivery:
        """Get a notification about a merchant with its delivery attempts."""
        return await self._invoke("getBusinessDelivery", {"businessId": business_id, "deliveryId": delivery_id}, None, None)

    async def test_hook(self, *, hook_id: Uuid, body: Optional[HookTestRequest] = None, idempotency_key: Optional[str] = None) -> HookTestResult:
        """Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response."""
        return await self._invoke("testHook", {"hookId": hook_id}, body, idempotency_key)

    async def revoke_approval(self, *, business_id: Uuid, app_id: Optional[AppUrn] = None) -> None:
        """Revoke the approval of an app. Its tokens for the merchant end, and its waiting order notifications are dropped."""
        return await self._invoke("revokeApproval", {"businessId": business_id, "appId": app_id}, None, None)

    async def redeliver_of_app(self, *, delivery_id: Uuid, app_id: Optional[AppUrn] = None, idempotency_key: Optional[str] = None) -> DeliverySummary:
        """Redeliver a notification of an app, with the same bytes and id."""
        return await self._invoke("redeliverOfApp", {"appId": app_id, "deliveryId": delivery_id}, None, idempotency_key)

    async def redeliver_of_business(self, *, business_id: Uuid, delivery_id: Uuid, idempotency_key: Optional[str] = None) -> DeliverySummary:
        """Redeliver a notification about a merchant, with the same bytes and id."""
        return await self._invoke("redeliverOfBusiness", {"businessId": business_id, "deliveryId": delivery_id}, None, idempotency_key)

    async def start_redelivery(self, *, app_id: Optional[AppUrn] = None, body: Optional[RedeliveryRequest] = None, idempotency_key: Optional[str] = None) -> Redelivery:
        """Redeliver a range of notifications in the background."""
        return await self._invoke("startRedelivery", {"appId": app_id}, body, idempotency_key)

    async def list_redeliveries(self, *, app_id: Optional[AppUrn] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> RedeliveryList:
        """List the redeliveries of an app, newest first."""
        return await self._invoke("listRedeliveries", {"appId": app_id, "limit": limit, "after": after}, None, None)

    async def get_redelivery(self, *, redelivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Redelivery:
        """Get the progress of a redelivery."""
        return await self._invoke("getRedelivery", {"appId": app_id, "redeliveryId": redelivery_id}, None, None)

    async def cancel_redelivery(self, *, redelivery_id: Uuid, app_id: Optional[AppUrn] = None) -> Redelivery:
        """Cancel a redelivery. Notifications that are already queued are still sent."""
        return await self._invoke("cancelRedelivery", {"appId": app_id, "redeliveryId": redelivery_id}, None, None)

    async def report_order_events(self, *, body: OrderEvents) -> OrderEventResults:
        """Report up to 1,000 order events of any businesses, with one result per event."""
        return await self._invoke("reportOrderEvents", {}, body, None)

    async def open_order(self, *, business_id: Uuid, body: Optional[OrderRequest] = None, idempotency_key: Optional[str] = None) -> Order:
        """Open an order at a terminal."""
        return await self._invoke("openOrder", {"businessId": business_id}, body, idempotency_key)

    async def get_order(self, *, business_id: Uuid, order_id: Uuid) -> Order:
        """Get an order. Every order event links here."""
        return await self._invoke("getOrder", {"businessId": business_id, "orderId": order_id}, None, None)

    async def update_order(self, *, business_id: Uuid, order_id: Uuid, body: Optional[OrderChanges] = None) -> Order:
        """Edit, complete or cancel an open order."""
        return await self._invoke("updateOrder", {"businessId": business_id, "orderId": order_id}, body, None)

    async def list_test_clocks(self, *, business_id: Uuid) -> TestClockList:
        """List the test clock of a test merchant."""
        return await self._invoke("listTestClocks", {"businessId": business_id}, None, None)

    async def create_test_clock(self, *, body: TestClockRequest, idempotency_key: Optional[str] = None) -> TestClock:
        """Create a test clock for a test merchant."""
        return await self._invoke("createTestClock", {}, body, idempotency_key)

    async def get_test_clock(self, *, test_clock_id: Uuid) -> TestClock:
        """Get a test clock: its time, status and target."""
        return await self._invoke("getTestClock", {"testClockId": test_clock_id}, None, None)

    async def delete_test_clock(self, *, test_clock_id: Uuid) -> None:
        """Delete a test clock. Its live subscriptions end, and the merchant returns to real time."""
        return await self._invoke("deleteTestClock", {"testClockId": test_clock_id}, None, None)

    async def advance_test_clock(self, *, body: TestClockAdvance, test_clock_id: Uuid) -> TestClock:
        """Advance a test clock. The response waits until all billing, charges and events up to the target are done."""
        return await self._invoke("advanceTestClock", {"testClockId": test_clock_id}, body, None)

    async def freeze_test_clock(self, *, test_clock_id: Uuid, idempotency_key: Optional[str] = None) -> TestClock:
        """Stop a test clock at its current time. A running advance returns the reached instant."""
        return await self._invoke("freezeTestClock", {"testClockId": test_clock_id}, None, idempotency_key)

    async def list_audit(self, *, kind: Optional[Literal["BRAND", "ORGANIZATION", "ORGANIZATION_BOOKING", "PAYOUT_ACCOUNT", "PAYOUT_TRANSFER", "SELLER", "APP", "APP_KEY", "SIGNING_KEY", "RELEASE", "RELEASE_MESSAGE", "NOTE", "PLAN", "BUSINESS", "STORE", "DEVICE", "DEVICE_KEY", "BUSINESS_USER", "APPROVAL", "INSTALLED_APP", "APP_PERMISSIONS", "PAYMENT_METHOD", "SUBSCRIPTION", "INVOICE", "DISPUTE_EVIDENCE", "CHARGE", "REFUND", "HOOK", "REDELIVERY", "APP_ENDING", "CATCH_UP", "TAX_SETTINGS", "TAX_RATE", "ORDER", "PURCHASE", "TEST_CLOCK", "USER", "MEMBERSHIP", "VIEWING", "INVITATION", "SECOND_FACTOR"]] = None, resource_id: Optional[str] = None, principal: Optional[str] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, limit: Optional[int] = None, after: Optional[str] = None) -> AuditList:
        """List the changes made by requests, with the values before and after, newest first."""
        return await self._invoke("listAudit", {"kind": kind, "resourceId": resource_id, "principal": principal, "startAt": start_at, "endAt": end_at, "limit": limit, "after": after}, None, None)

    async def list_app_requests(self, *, app_id: Optional[AppUrn] = None, method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = None, http_status: Optional[str] = None, request_id: Optional[str] = None, start_at: Optional[str] = None, end_at: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> ApiRequestList:
        """List the requests of an app's tokens in the last 7 days, newest first."""
        return await self._invoke("listAppRequests", {"appId": app_id, "method": method, "httpStatus": http_status, "requestId": request_id, "startAt": start_at, "endAt": end_at, "limit": limit, "after": after}, None, None)

    async def get_brand(self) -> Brand:
        """Get the brand of pages, mails and documents."""
        return await self._invoke("getBrand", {}, None, None)

    async def change_brand(self, *, body: BrandRequest) -> Brand:
        """Set the brand, optionally with a logo. Absent fields are cleared; without a file the logo stays."""
        return await self._invoke("changeBrand", {}, body, None)

    async def remove_logo(self) -> None:
        """Remove the logo. Pages then show the first letter of the name."""
        return await self._invoke("removeLogo", {}, None, None)

    async def list_upcoming_charges(self, *, days: Optional[int] = None, count: Optional[int] = None, after: Optional[str] = None) -> Upcoming:
        """List the charges of the next days, assuming that every charge succeeds."""
        return await self._invoke("listUpcomingCharges", {"days": days, "count": count, "after": after}, None, None)

    async def list_unsettled_charges(self, *, state: Optional[Literal["UNSETTLED", "IN_FLIGHT", "UNKNOWN", "WAITING", "STUCK"]] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> UnsettledCharges:
        """List charges without an outcome: in progress, unknown, waiting or stuck."""
        return await self._invoke("listUnsettledCharges", {"state": state, "count": count, "after": after}, None, None)

    async def poll_charge(self, *, charge_id: Uuid, idempotency_key: Optional[str] = None) -> UnsettledCharge:
        """Poll a charge without an outcome now, instead of at `nextPollAt`. A charge with an outcome does not change."""
        return await self._invoke("pollCharge", {"chargeId": charge_id}, None, idempotency_key)

    async def list_unsettled_refunds(self, *, state: Optional[Literal["UNSETTLED", "STUCK"]] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> UnsettledRefunds:
        """List refunds without an outcome: in progress or stuck."""
        return await self._invoke("listUnsettledRefunds", {"state": state, "count": count, "after": after}, None, None)

    async def list_quarantined(self, *, count: Optional[int] = None) -> QuarantinedList:
        """List quarantined rows with their errors and next retries, most failures first."""
        return await self._invoke("listQuarantined", {"count": count}, None, None)

    async def get_revenue(self, *, month: Optional[str] = None, currency: Optional[str] = None) -> Revenue:
        """Get recurring revenue, trial conversion, churn and recovery of a month, by currency."""
        return await self._invoke("getRevenue", {"month": month, "currency": currency}, None, None)

    async def get_daily_revenue(self, *, from_: Optional[str] = None, to: Optional[str] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, plan_id: Optional[Uuid] = None, currency: Optional[str] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> DailyRevenue:
        """Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days."""
        return await self._invoke("getDailyRevenue", {"from": from_, "to": to, "organizationId": organization_id, "appId": app_id, "planId": plan_id, "currency": currency, "merchantType": merchant_type}, None, None)

    async def get_revenue_by_country(self, *, from_: Optional[str] = None, to: Optional[str] = None, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, currency: Optional[str] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None) -> CountryRevenue:
        """Get current MRR and subscribers, and the payments and refunds of months, by currency and country."""
        return await self._invoke("getRevenueByCountry", {"from": from_, "to": to, "organizationId": organization_id, "appId": app_id, "currency": currency, "merchantType": merchant_type}, None, None)

    async def list_reconciliations(self) -> Reconciliations:
        """List the daily comparisons with the gateways' books, the open discrepancies, and the owed refunds."""
        return await self._invoke("listReconciliations", {}, None, None)

    async def receive_gateway_event(self, *, gateway: str) -> GatewayEventReceipt:
        """Receive a signed event of a payment gateway. Each event is stored once and applied after the response."""
        return await self._invoke("receiveGatewayEvent", {"gateway": gateway}, None, None)

    async def run_invariant_checks(self, *, check: Optional[Literal["periodsContiguous", "periodsBilled", "chargedOnce", "oneChargeObject", "gatewayMatches", "chargedInTime", "ledgerBalances", "totalsMatch", "revenueMatches", "revenueDaysMatch", "revenueCountriesMatch", "shareReturned", "taxMatches", "taxTotalsMatch", "linesAddUp", "creditMatches", "creditWithinPaid", "moneyMatches", "refundsWithinPaid", "disputesMatch", "numbersWithoutGap", "eventsOnce", "eventsComplete", "eventsInOrder", "everythingScheduled", "nothingOverdue"]] = None) -> Checks:
        """Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check."""
        return await self._invoke("runInvariantChecks", {"check": check}, None, None)

    async def get_user(self, *, user_id: Uuid) -> User:
        """Get a user."""
        return await self._invoke("getUser", {"userId": user_id}, None, None)

    async def change_user(self, *, body: UserChange, user_id: Uuid) -> User:
        """Disable a user and end all sessions, or enable the user again."""
        return await self._invoke("changeUser", {"userId": user_id}, body, None)

    async def list_people(self, *, kind: Literal["MERCHANT", "DEVELOPER", "OPERATOR"], organization_id: Optional[Uuid] = None, business_id: Optional[Uuid] = None) -> People:
        """List the people of a business, an organization or the operator."""
        return await self._invoke("listPeople", {"kind": kind, "organizationId": organization_id, "businessId": business_id}, None, None)

    async def accept_invitation(self, *, body: Acceptance, idempotency_key: Optional[str] = None) -> Membership:
        """Accept an invitation, with a new account or the existing account of the address."""
        return await self._invoke("acceptInvitation", {}, body, idempotency_key)

    async def change_role(self, *, body: RoleChange, membership_id: Uuid) -> Person:
        """Change the role of a person."""
        return await self._invoke("changeRole", {"membershipId": membership_id}, body, None)

    async def remove_person(self, *, membership_id: Uuid) -> None:
        """Remove a person from a workspace."""
        return await self._invoke("removePerson", {"membershipId": membership_id}, None, None)

    async def list_invitations(self, *, kind: Literal["MERCHANT", "DEVELOPER", "OPERATOR"], organization_id: Optional[Uuid] = None, business_id: Optional[Uuid] = None) -> InvitationList:
        """List invitations, newest first."""
        return await self._invoke("listInvitations", {"kind": kind, "organizationId": organization_id, "businessId": business_id}, None, None)

    async def invite(self, *, body: InvitationRequest, idempotency_key: Optional[str] = None) -> Invitation:
        """Invite a person by mail."""
        return await self._invoke("invite", {}, body, idempotency_key)

    async def revoke_invitation(self, *, invitation_id: Uuid) -> None:
        """Revoke an invitation."""
        return await self._invoke("revokeInvitation", {"invitationId": invitation_id}, None, None)

    async def list_sessions(self) -> SessionList:
        """List my sessions."""
        return await self._invoke("listSessions", {}, None, None)

    async def sign_in(self, *, body: SignIn) -> OpenedSession:
        """Sign in. The response has the bearer token of the session."""
        return await self._invoke("signIn", {}, body, None)

    async def get_current_session(self) -> CurrentSession:
        """Get my current session and my memberships."""
        return await self._invoke("getCurrentSession", {}, None, None)

    async def choose_membership(self, *, body: MembershipChoice) -> CurrentSession:
        """Switch my session to another membership."""
        return await self._invoke("chooseMembership", {}, body, None)

    async def sign_out(self) -> None:
        """Sign out."""
        return await self._invoke("signOut", {}, None, None)

    async def end_session(self, *, session_id: Uuid) -> None:
        """End one of my sessions."""
        return await self._invoke("endSession", {"sessionId": session_id}, None, None)

    async def start_device_login(self) -> DeviceLogin:
        """Start a login that a person approves in the browser (RFC 8628)."""
        return await self._invoke("startDeviceLogin", {}, None, None)

    async def poll_device_login(self, *, body: DevicePoll) -> OpenedSession:
        """Poll for the session of an approved login (RFC 8628)."""
        return await self._invoke("pollDeviceLogin", {}, body, None)

    async def get_account(self) -> Account:
        """Get my account."""
        return await self._invoke("getAccount", {}, None, None)

    async def change_account(self, *, body: AccountChange) -> Account:
        """Change my name."""
        return await self._invoke("changeAccount", {}, body, None)

    async def change_password(self, *, body: PasswordChange, idempotency_key: Optional[str] = None) -> None:
        """Change my password and end my other sessions."""
        return await self._invoke("changePassword", {}, body, idempotency_key)

    async def set_up_second_factor(self, *, body: SecondFactorRequest, idempotency_key: Optional[str] = None) -> SecondFactor:
        """Create a secret for an authenticator app."""
        return await self._invoke("setUpSecondFactor", {}, body, idempotency_key)

    async def confirm_second_factor(self, *, body: SecondFactorConfirmation, idempotency_key: Optional[str] = None) -> RecoveryCodes:
        """Confirm the second factor with a first code. Later sign-ins require a code."""
        return await self._invoke("confirmSecondFactor", {}, body, idempotency_key)

    async def renew_recovery_codes(self, *, body: Confirmation, idempotency_key: Optional[str] = None) -> RecoveryCodes:
        """Replace my recovery codes."""
        return await self._invoke("renewRecoveryCodes", {}, body, idempotency_key)

    async def remove_second_factor(self, *, body: Confirmation, idempotency_key: Optional[str] = None) -> None:
        """Remove my second factor."""
        return await self._invoke("removeSecondFactor", {}, body, idempotency_key)

    async def request_password_reset(self, *, body: PasswordResetRequest, idempotency_key: Optional[str] = None) -> None:
        """Send a password reset link to an address, if the address has an account."""
        return await self._invoke("requestPasswordReset", {}, body, idempotency_key)

    async def complete_password_reset(self, *, body: PasswordResetCompletion, idempotency_key: Optional[str] = None) -> None:
        """Set a new password with a reset link and end every session."""
        return await self._invoke("completePasswordReset", {}, body, idempotency_key)

    async def list_business_users(self, *, business_id: Uuid) -> BusinessUserList:
        """List the terminal users of a business."""
        return await self._invoke("listBusinessUsers", {"businessId": business_id}, None, None)

    async def create_business_user(self, *, body: BusinessUserRequest, business_id: Uuid, idempotency_key: Optional[str] = None) -> BusinessUser:
        """Create a user who signs in on the terminals of a business."""
        return await self._invoke("createBusinessUser", {"businessId": business_id}, body, idempotency_key)

    async def update_business_user(self, *, business_id: Uuid, business_user_id: Uuid, body: Optional[BusinessUserChanges] = None) -> BusinessUser:
        """Update a terminal user. A new passcode or DISABLED ends the user's sessions."""
        return await self._invoke("updateBusinessUser", {"businessId": business_id, "businessUserId": business_user_id}, body, None)

    async def remove_business_user(self, *, business_id: Uuid, business_user_id: Uuid) -> None:
        """Remove a terminal user and end the user's sessions."""
        return await self._invoke("removeBusinessUser", {"businessId": business_id, "businessUserId": business_user_id}, None, None)

    async def activate_device(self, *, body: Activation, idempotency_key: Optional[str] = None) -> ActivatedDevice:
        """Activate a terminal: exchange its code for a key."""
        return await self._invoke("activateDevice", {}, body, idempotency_key)

    async def close_device(self, *, business_id: Uuid, device_id: DeviceUrn) -> None:
        """Close a terminal permanently. Its key, tokens and sessions end; its subscriptions continue."""
        return await self._invoke("closeDevice", {"businessId": business_id, "deviceId": device_id}, None, None)

    async def close_store(self, *, business_id: Uuid, store_id: Uuid) -> None:
        """Close a store and its terminals permanently. Subscriptions of the store must be moved or cancelled before."""
        return await self._invoke("closeStore", {"businessId": business_id, "storeId": store_id}, None, None)

    async def get_app_at_terminal(self, *, package_name: str) -> AppAtTerminal:
        """Get the name, developer and icon of an app for a terminal."""
        return await self._invoke("getAppAtTerminal", {"packageName": package_name}, None, None)

    async def report_installed_app(self, *, body: InstalledAppReport, package_name: str) -> InstalledApp:
        """Report that an app was installed or updated on this terminal. The terminal may then call for the app."""
        return await self._invoke("reportInstalledApp", {"packageName": package_name}, body, None)

    async def report_removed_app(self, *, package_name: str) -> None:
        """Report that an app is not installed on this terminal."""
        return await self._invoke("reportRemovedApp", {"packageName": package_name}, None, None)

    async def list_subscriptions_at_terminal(self, *, package_name: str, status: Optional[Literal["PENDING", "ACTIVE", "ENDED", "ALL"]] = None, start: Optional[int] = None, count: Optional[int] = None, after: Optional[Uuid] = None) -> SubscriptionPage:
        """List the merchant's subscriptions to an app for this terminal."""
        return await self._invoke("listSubscriptionsAtTerminal", {"packageName": package_name, "status": status, "start": start, "count": count, "after": after}, None, None)

    async def sign_subscriptions_at_terminal(self, *, package_name: str) -> SignedSubscriptions:
        """Get a signed list of the merchant's active subscriptions to an app, for use without a connection."""
        return await self._invoke("signSubscriptionsAtTerminal", {"packageName": package_name}, None, None)

    async def list_plans_at_terminal(self, *, package_name: str, status: Optional[Literal["INACTIVE", "ACTIVE"]] = None, start: Optional[int] = None, count: Optional[int] = None) -> PlanPage:
        """List the plans of an app with the merchant's prices."""
        return await self._invoke("listPlansAtTerminal", {"packageName": package_name, "status": status, "start": start, "count": count}, None, None)

    async def issue_user_token(self, *, package_name: str) -> UserToken:
        """Issue an access token to an app for the signed-in user, valid for an hour."""
        return await self._invoke("issueUserToken", {"packageName": package_name}, None, None)

    async def open_purchase_at_terminal(self, *, package_name: str, body: Optional[PurchaseRequest] = None, idempotency_key: Optional[str] = None) -> Purchase:
        """Open a purchase for the signed-in user and get the address of its screen."""
        return await self._invoke("openPurchaseAtTerminal", {"packageName": package_name}, body, idempotency_key)

    async def get_purchase_at_terminal(self, *, purchase_id: Uuid) -> Purchase:
        """Get a purchase of this terminal and its outcome."""
        return await self._invoke("getPurchaseAtTerminal", {"purchaseId": purchase_id}, None, None)

    async def cancel_purchase_at_terminal(self, *, purchase_id: Uuid) -> Purchase:
        """Cancel a purchase of this terminal."""
        return await self._invoke("cancelPurchaseAtTerminal", {"purchaseId": purchase_id}, None, None)

    async def approve_permissions_at_terminal(self, *, body: PermissionsApproval, package_name: str, idempotency_key: Optional[str] = None) -> InstalledApp:
        """Approve permissions of an installed app for the merchant, as the signed-in manager."""
        return await self._invoke("approvePermissionsAtTerminal", {"packageName": package_name}, body, idempotency_key)

    async def search_terminals(self, *, organization_id: Optional[Uuid] = None, app_id: Optional[AppUrn] = None, business_id: Optional[Uuid] = None, store_id: Optional[Uuid] = None, status: Optional[Literal["NEW", "ACTIVE", "CLOSED"]] = None, merchant_type: Optional[Literal["MERCHANT", "TEST_MERCHANT"]] = None, q: Optional[str] = None, limit: Optional[int] = None, after: Optional[Uuid] = None) -> TerminalList:
        """List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed."""
        return await self._invoke("searchTerminals", {"organizationId": organization_id, "appId": app_id, "businessId": business_id, "storeId": store_id, "status": status, "merchantType": merchant_type, "q": q, "limit": limit, "after": after}, None, None)

    async def sign_in_at_terminal(self, *, body: TerminalSignIn) -> TerminalSession:
        """Sign a user in on this terminal. The session ends after 15 idle minutes."""
        return await self._invoke("signInAtTerminal", {}, body, None)

    async def sign_out_at_terminal(self) -> None:
        """Sign the user out of this terminal. Succeeds also if nobody is signed in."""
        return await self._invoke("signOutAtTerminal", {}, None, None)

    async def get_health(self) -> Health:
        """Get the health of the process: queued and quarantined work."""
        return await self._invoke("getHealth", {}, None, None)

    async def get_readiness(self) -> Readiness:
        """Check whether the process is ready for requests."""
        return await self._invoke("getReadiness", {}, None, None)

    async def get_open_api(self) -> Dict[str, Any]:
        """Get this document as OpenAPI 3.1."""
        return await self._invoke("getOpenApi", {}, None, None)
