import type { TSchema } from 'typebox'
import * as accounts from '../../access/accounts/schema.ts'
import * as businessLists from '../../access/business-lists/schema.ts'
import * as businessUsers from '../../access/business-users/schema.ts'
import * as deviceLogins from '../../access/device-logins/schema.ts'
import * as invitations from '../../access/invitations/schema.ts'
import * as memberships from '../../access/memberships/schema.ts'
import * as sessions from '../../access/sessions/schema.ts'
import * as tokens from '../../access/tokens/schema.ts'
import * as users from '../../access/users/schema.ts'
import * as apps from '../../catalog/apps/schema.ts'
import * as organizations from '../../catalog/organizations/schema.ts'
import * as plans from '../../catalog/plans/schema.ts'
import * as releases from '../../catalog/releases/schema.ts'
import * as approvals from '../../merchants/approvals/schema.ts'
import * as businesses from '../../merchants/businesses/schema.ts'
import * as billing from '../../money/billing/schema.ts'
import * as catchUp from '../../money/catch-up/schema.ts'
import * as endings from '../../money/endings/schema.ts'
import * as gatewayEvents from '../../money/gateway-events/schema.ts'
import * as invariantChecks from '../../money/invariant-checks/schema.ts'
import * as invoices from '../../money/invoices/schema.ts'
import * as ledger from '../../money/ledger/schema.ts'
import * as lists from '../../money/lists/schema.ts'
import * as payouts from '../../money/payouts/schema.ts'
import * as purchases from '../../money/purchases/schema.ts'
import * as reconciliations from '../../money/reconciliations/schema.ts'
import * as revenue from '../../money/reports/revenue-schema.ts'
import * as reports from '../../money/reports/schema.ts'
import * as subscriptions from '../../money/subscriptions/schema.ts'
import * as tax from '../../money/tax/schema.ts'
import * as testClocks from '../../money/test-clocks/schema.ts'
import * as apiLog from '../../platform/api-log/schema.ts'
import * as audit from '../../platform/audit/schema.ts'
import * as brand from '../../platform/brand/schema.ts'
import { AppUrn, DECLARED, DeviceUrn, Link, Timestamp, Uuid } from '../../platform/http/wire.ts'
import * as installedApps from '../../terminals/installed-apps/schema.ts'
import * as terminalApi from '../../terminals/terminal-api/schema.ts'
import * as terminalLists from '../../terminals/terminal-lists/schema.ts'
import * as eventStreams from '../../webhooks/event-streams/schema.ts'
import * as hooks from '../../webhooks/hooks/schema.ts'
import * as notifications from '../../webhooks/notifications/schema.ts'
import * as orders from '../../webhooks/orders/schema.ts'
import * as redeliveries from '../../webhooks/redeliveries/schema.ts'
import * as operations from '../operations/schema.ts'
import { exampleOf, type Shape } from './examples.ts'
import type { Schema } from './openapi.ts'

/** The named schemas of the contract. The document writes any other schema inline. */
export const COMPONENTS: Readonly<Record<string, TSchema>> = {
  Uuid,
  AppUrn,
  DeviceUrn,
  Timestamp,
  Link,
  TokenRequest: tokens.TokenForm,
  Tokens: tokens.TokenAnswer,
  Revocation: tokens.RevocationForm,
  KeySet: tokens.KeySet,
  SigningKey: tokens.RotatedJson,
  SignIn: sessions.SignIn,
  OpenedSession: sessions.OpenedAnswer,
  DeviceLogin: deviceLogins.DeviceLoginAnswer,
  DevicePoll: deviceLogins.DevicePoll,
  CurrentSession: sessions.CurrentAnswer,
  Session: sessions.SessionAnswer,
  SessionList: sessions.SessionsAnswer,
  MembershipChoice: sessions.MembershipChoice,
  Membership: memberships.MembershipAnswer,
  Person: memberships.PersonAnswer,
  People: memberships.PeopleAnswer,
  RoleChange: memberships.RoleChange,
  InvitationRequest: invitations.NewInvitation,
  Invitation: invitations.InvitationAnswer,
  InvitationList: invitations.InvitationsAnswer,
  Acceptance: invitations.Acceptance,
  User: users.UserAnswer,
  UserChange: users.UserChange,
  Account: accounts.AccountAnswer,
  AccountChange: accounts.AccountChange,
  PasswordChange: accounts.PasswordChange,
  SecondFactorRequest: accounts.FactorSetUp,
  SecondFactor: accounts.SetUpAnswer,
  SecondFactorConfirmation: accounts.FactorConfirmation,
  RecoveryCodes: accounts.RecoveryCodesAnswer,
  Confirmation: accounts.Confirmation,
  PasswordResetRequest: accounts.ResetRequest,
  PasswordResetCompletion: accounts.ResetCompletion,
  Plan: plans.PlanAnswer,
  PlanPage: plans.PlanPageAnswer,
  SubscriptionRequest: billing.SubscribeBody,
  Subscription: subscriptions.SubscriptionJson,
  SubscriptionPage: subscriptions.SubscriptionPageJson,
  SubscriptionChange: billing.ChangeSubscriptionBody,
  PlanChange: billing.PlanChangeBody,
  PlanChangePreview: billing.PreviewJson,
  ...tax.TAX_SCHEMAS,
  InvoiceTax: invoices.TaxJson,
  InvoiceLine: invoices.LineJson,
  Invoice: invoices.InvoiceJson,
  InvoicePage: invoices.InvoicePageJson,
  NamedSubscription: lists.NamedSubscriptionJson,
  SubscriptionList: lists.SubscriptionListJson,
  ListedInvoice: lists.ListedInvoiceJson,
  InvoiceList: lists.InvoiceListJson,
  ListedCharge: lists.ListedChargeJson,
  ChargeList: lists.ChargeListJson,
  ListedDispute: lists.ListedDisputeJson,
  DisputeList: lists.DisputeListJson,
  RefundRequest: billing.RefundBody,
  PayInvoiceRequest: billing.PayBody,
  ...billing.DISPUTE_SCHEMAS,
  Refund: invoices.RefundJson,
  HookRequest: hooks.HookBody,
  EventStreamMessage: eventStreams.StreamMessage,
  RotateSecretRequest: hooks.NewSecret,
  Hook: hooks.HookJson,
  ChangedHook: redeliveries.ChangedHookJson,
  RotatedSecret: hooks.RotatedSecretJson,
  HookChanges: hooks.HookChanges,
  HookHours: hooks.HookHoursJson,
  HookList: hooks.HookListJson,
  HookTestRequest: notifications.HookTestBody,
  HookTestResult: notifications.HookTestJson,
  Notification: notifications.NotificationJson,
  Delivery: notifications.DeliveryJson,
  DeliverySummary: notifications.DeliverySummaryJson,
  DeliveryList: notifications.DeliveryListJson,
  CatchUpDecision: catchUp.CatchUpBody,
  CatchUp: catchUp.CatchUpJson,
  CatchUpReport: catchUp.CatchUpAnswer,
  AppEndingRequest: endings.EndingBody,
  AppEnding: endings.EndingJson,
  RedeliveryRequest: redeliveries.RedeliverBody,
  Redelivery: redeliveries.RedeliveryJson,
  RedeliveryList: redeliveries.RedeliveryListJson,
  BusinessRequest: businesses.NewBusiness,
  BusinessChanges: businesses.BusinessChanges,
  Business: businesses.BusinessAnswer,
  BusinessSummary: businesses.BusinessSummary,
  BusinessList: businessLists.BusinessListAnswer,
  Terminal: terminalLists.TerminalJson,
  TerminalList: terminalLists.TerminalListJson,
  StoreRequest: businesses.NewStore,
  Store: businesses.StoreAnswer,
  DeviceRequest: businesses.NewDeviceBody,
  Device: businesses.NewDeviceAnswer,
  ActivationCode: businesses.ActivationCodeAnswer,
  Activation: terminalApi.ActivationBody,
  ActivatedDevice: terminalApi.ActivationAnswer,
  BusinessUserRequest: businessUsers.NewUserBody,
  BusinessUserChanges: businessUsers.UserChangesBody,
  BusinessUser: businessUsers.UserAnswer,
  BusinessUserList: businessUsers.UserListAnswer,
  TerminalSignIn: businessUsers.SignInBody,
  TerminalSession: businessUsers.SignInAnswer,
  UserToken: terminalApi.UserTokenAnswer,
  PurchaseRequest: terminalApi.PurchaseBody,
  Purchase: purchases.PurchaseJson,
  SubscriptionOrPurchase: billing.AwaitedJson,
  ApprovalRequest: approvals.NewApproval,
  Approval: approvals.ApprovalAnswer,
  ApprovalList: approvals.ApprovalListAnswer,
  PaymentMethodRequest: billing.PaymentMethodBody,
  PaymentMethod: billing.PaymentMethodJson,
  PaymentMethodList: billing.PaymentMethodPageJson,
  PaymentMethodSetupRequest: billing.SetupBody,
  PaymentMethodSetup: billing.SetupJson,
  OrderEvents: orders.ReportJson,
  OrderEventResults: orders.ReportResults,
  OrderRequest: orders.OpenBody,
  OrderChanges: orders.EditBody,
  Order: orders.OrderJson,
  AppRequest: apps.NewApp,
  AppChanges: apps.AppChanges,
  App: apps.AppAnswer,
  AppList: apps.AppListAnswer,
  AppAtTerminal: apps.AppShownAnswer,
  InstalledAppReport: installedApps.InstallBody,
  InstalledApp: installedApps.InstalledAppAnswer,
  PermissionsApproval: installedApps.PermissionsBody,
  SignedSubscriptions: terminalApi.SignedSubscriptionsAnswer,
  AppKeyRequest: apps.NewAppKey,
  AppKey: apps.AppKeyAnswer,
  ReleaseRequest: releases.NewRelease,
  Rejection: releases.Rejection,
  ReleaseMessageRequest: releases.NewMessage,
  Release: releases.ReleaseAnswer,
  ReleasePage: releases.ReleasePageAnswer,
  ReleaseList: releases.ReleaseListAnswer,
  OrganizationRequest: organizations.NewOrganization,
  OrganizationChanges: organizations.OrganizationChanges,
  Organization: organizations.OrganizationAnswer,
  OrganizationList: organizations.OrganizationListAnswer,
  OrganizationBalance: ledger.OrganizationBalanceJson,
  PayoutRequest: payouts.PayoutBody,
  AdjustmentRequest: payouts.AdjustmentBody,
  OrganizationBooking: payouts.BookedJson,
  OrganizationBookingList: payouts.BookingPageJson,
  ...payouts.PAYOUT_SCHEMAS,
  BrandRequest: brand.BrandBody,
  Brand: brand.BrandJson,
  SellerRequest: organizations.SellerBody,
  Seller: organizations.SellerJson,
  BusinessBalance: ledger.BusinessBalanceJson,
  OperatorBalance: ledger.OperatorBalanceJson,
  StatementList: ledger.StatementListJson,
  Statement: ledger.StatementJson,
  TaxReport: ledger.TaxReportJson,
  Upcoming: reports.UpcomingJson,
  CountryRevenue: revenue.CountryRevenueJson,
  DailyRevenue: revenue.DailyRevenueJson,
  Revenue: reports.RevenueJson,
  TestClockRequest: testClocks.CreateBody,
  TestClockAdvance: testClocks.AdvanceBody,
  TestClock: testClocks.TestClockJson,
  TestClockList: testClocks.TestClockListJson,
  ApiRequest: apiLog.ApiRequestJson,
  ApiRequestList: apiLog.ApiRequestListJson,
  AuditList: audit.AuditListJson,
  Reconciliations: reconciliations.ReconciliationsJson,
  ...reports.UNSETTLED_SCHEMAS,
  Checks: invariantChecks.ChecksJson,
  GatewayEventReceipt: gatewayEvents.GatewayEventReceipt,
  Health: operations.HealthJson,
  Readiness: operations.ReadyJson,
}

const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name]))

export const componentNameOf = (schema: object) => NAMES.get(JSON.stringify(schema))

/** A schema as the document shows it: a reference if the schema has a name, otherwise inline. */
export function schemaOf(schema: TSchema): Schema {
  return withNames(plain(schema)) as Schema
}

/** The named schemas, with examples. */
export function namedSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, schema]) => {
      const { properties, anyOf }: Shape = schema
      const isObject = properties !== undefined || anyOf !== undefined
      return [name, { ...ofParts(plain(schema)), ...(isObject && { examples: [exampleOf(schema, componentNameOf)] }) }]
    }),
  )
}

function withNames(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNames)
  if (typeof node !== 'object' || node === null) return node
  const name = componentNameOf(node)
  return name === undefined ? ofParts(node) : { $ref: `#/components/schemas/${name}` }
}

/** Rewrites constructs that client generators cannot handle: untyped enums, constants and pattern properties. */
function ofParts(node: object): Schema {
  const { [DECLARED]: declared, ...rest } = node as Record<string, unknown>
  const parts = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNames(value)]))
  const { const: constant, patternProperties, ...others } = parts
  // JSON on the wire is UTF-8, and the expressions of many languages cannot name a surrogate.
  if (typeof others.pattern === 'string') others.pattern = others.pattern.replaceAll('\\uD800-\\uDFFF', '')
  if (declared !== undefined) return { ...pick(others, 'description'), ...(withNames(declared) as Schema) }
  if (patternProperties !== undefined) return { ...others, additionalProperties: true } as Schema
  if (typeof constant === 'string') {
    return /^\w+$/.test(constant)
      ? { type: 'string', enum: [constant], ...pick(others, 'description') }
      : { type: 'string', description: `Always ${constant}` }
  }
  const isText =
    Array.isArray(others.enum) && others.type === undefined && others.enum.every(one => typeof one === 'string')
  return isText ? { type: 'string', ...others } : others
}

function pick(parts: Record<string, unknown>, name: string): Record<string, unknown> {
  return parts[name] === undefined ? {} : { [name]: parts[name] }
}

/** Removes TypeBox's internal properties. */
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema)) as object
}
