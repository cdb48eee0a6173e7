import type { TSchema } from 'typebox'
import {
  AccountAnswer,
  AccountChange,
  Confirmation,
  FactorConfirmation,
  FactorSetUp,
  PasswordChange,
  RecoveryCodesAnswer,
  ResetCompletion,
  ResetRequest,
  SetUpAnswer,
} from '../../access/accounts/schema.ts'
import { BusinessListAnswer } from '../../access/business-lists/schema.ts'
import {
  UserAnswer as BusinessUserAnswer,
  NewUserBody,
  SignInAnswer,
  SignInBody,
  UserChangesBody,
  UserListAnswer,
} from '../../access/business-users/schema.ts'
import { DeviceLoginAnswer, DevicePoll } from '../../access/device-logins/schema.ts'
import { Acceptance, InvitationAnswer, InvitationsAnswer, NewInvitation } from '../../access/invitations/schema.ts'
import { MembershipAnswer, PeopleAnswer, PersonAnswer, RoleChange } from '../../access/memberships/schema.ts'
import {
  CurrentAnswer,
  MembershipChoice,
  OpenedAnswer,
  SessionAnswer,
  SessionsAnswer,
  SignIn,
} from '../../access/sessions/schema.ts'
import { KeySet, RevocationForm, RotatedJson, TokenAnswer, TokenForm } from '../../access/tokens/schema.ts'
import { UserAnswer, UserChange } from '../../access/users/schema.ts'
import {
  AppAnswer,
  AppChanges,
  AppKeyAnswer,
  AppListAnswer,
  AppShownAnswer,
  NewApp,
  NewAppKey,
} from '../../catalog/apps/schema.ts'
import {
  NewOrganization,
  OrganizationAnswer,
  OrganizationChanges,
  OrganizationListAnswer,
  SellerBody,
  SellerJson,
} from '../../catalog/organizations/schema.ts'
import { PlanAnswer, PlanPageAnswer } from '../../catalog/plans/schema.ts'
import {
  NewRelease,
  NewMessage as NewReleaseMessage,
  Rejection,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleasePageAnswer,
} from '../../catalog/releases/schema.ts'
import { ApprovalAnswer, ApprovalListAnswer, NewApproval } from '../../merchants/approvals/schema.ts'
import {
  ActivationCodeAnswer,
  BusinessAnswer,
  BusinessChanges,
  BusinessSummary,
  NewBusiness,
  NewDeviceAnswer,
  NewDeviceBody,
  NewStore,
  StoreAnswer,
} from '../../merchants/businesses/schema.ts'
import {
  AwaitedJson,
  ChangeSubscriptionBody,
  DISPUTE_SCHEMAS,
  PayBody,
  PaymentMethodBody,
  PaymentMethodJson,
  PaymentMethodPageJson,
  PlanChangeBody,
  PreviewJson,
  RefundBody,
  SetupBody,
  SetupJson,
  SubscribeBody,
} from '../../money/billing/schema.ts'
import { CatchUpAnswer, CatchUpBody, CatchUpJson } from '../../money/catch-up/schema.ts'
import { EndingBody, EndingJson } from '../../money/endings/schema.ts'
import { GatewayEventReceipt } from '../../money/gateway-events/schema.ts'
import { ChecksJson } from '../../money/invariant-checks/schema.ts'
import { InvoiceJson, InvoicePageJson, LineJson, RefundJson, TaxJson } from '../../money/invoices/schema.ts'
import {
  BusinessBalanceJson,
  OperatorBalanceJson,
  OrganizationBalanceJson,
  StatementJson,
  StatementListJson,
  TaxReportJson,
} from '../../money/ledger/schema.ts'
import {
  ChargeListJson,
  DisputeListJson,
  InvoiceListJson,
  ListedChargeJson,
  ListedDisputeJson,
  ListedInvoiceJson,
  NamedSubscriptionJson,
  SubscriptionListJson,
} from '../../money/lists/schema.ts'
import { AdjustmentBody, BookedJson, BookingPageJson, PAYOUT_SCHEMAS, PayoutBody } from '../../money/payouts/schema.ts'
import { PurchaseJson } from '../../money/purchases/schema.ts'
import { ReconciliationsJson } from '../../money/reconciliations/schema.ts'
import { CountryRevenueJson, DailyRevenueJson } from '../../money/reports/revenue-schema.ts'
import { RevenueJson, UNSETTLED_SCHEMAS, UpcomingJson } from '../../money/reports/schema.ts'
import { SubscriptionJson, SubscriptionPageJson } from '../../money/subscriptions/schema.ts'
import { TAX_SCHEMAS } from '../../money/tax/schema.ts'
import { AdvanceBody, CreateBody, TestClockJson, TestClockListJson } from '../../money/test-clocks/schema.ts'
import { ApiRequestJson, ApiRequestListJson } from '../../platform/api-log/schema.ts'
import { AuditListJson } from '../../platform/audit/schema.ts'
import { BrandBody, BrandJson } from '../../platform/brand/schema.ts'
import { AppUrn, DECLARED, DeviceUrn, Link, Timestamp, Uuid } from '../../platform/http/wire.ts'
import { InstallBody, InstalledAppAnswer, PermissionsBody } from '../../terminals/installed-apps/schema.ts'
import {
  ActivationAnswer,
  ActivationBody,
  PurchaseBody,
  SignedSubscriptionsAnswer,
  UserTokenAnswer,
} from '../../terminals/terminal-api/schema.ts'
import { TerminalJson, TerminalListJson } from '../../terminals/terminal-lists/schema.ts'
import { StreamMessage } from '../../webhooks/event-streams/schema.ts'
import {
  HookBody,
  HookChanges,
  HookHoursJson,
  HookJson,
  HookListJson,
  NewSecret,
  RotatedSecretJson,
} from '../../webhooks/hooks/schema.ts'
import {
  DeliveryJson,
  DeliveryListJson,
  DeliverySummaryJson,
  HookTestBody,
  HookTestJson,
  NotificationJson,
} from '../../webhooks/notifications/schema.ts'
import { EditBody, OpenBody, OrderJson, ReportJson, ReportResults } from '../../webhooks/orders/schema.ts'
import {
  ChangedHookJson,
  RedeliverBody,
  RedeliveryJson,
  RedeliveryListJson,
} from '../../webhooks/redeliveries/schema.ts'
import { HealthJson, ReadyJson } from '../operations/schema.ts'
import { exampleOf, type Shape } from './examples.ts'
import type { Schema } from './openapi.ts'

/** The named schemas of the contract. The document writes any other schema inline. */
export const COMPONENTS: Readonly<Record<string, TSchema>> = {
  Uuid,
  AppUrn,
  DeviceUrn,
  Timestamp,
  Link,
  TokenRequest: TokenForm,
  Tokens: TokenAnswer,
  Revocation: RevocationForm,
  KeySet,
  SigningKey: RotatedJson,
  SignIn,
  OpenedSession: OpenedAnswer,
  DeviceLogin: DeviceLoginAnswer,
  DevicePoll,
  CurrentSession: CurrentAnswer,
  Session: SessionAnswer,
  SessionList: SessionsAnswer,
  MembershipChoice,
  Membership: MembershipAnswer,
  Person: PersonAnswer,
  People: PeopleAnswer,
  RoleChange,
  InvitationRequest: NewInvitation,
  Invitation: InvitationAnswer,
  InvitationList: InvitationsAnswer,
  Acceptance,
  User: UserAnswer,
  UserChange,
  Account: AccountAnswer,
  AccountChange,
  PasswordChange,
  SecondFactorRequest: FactorSetUp,
  SecondFactor: SetUpAnswer,
  SecondFactorConfirmation: FactorConfirmation,
  RecoveryCodes: RecoveryCodesAnswer,
  Confirmation,
  PasswordResetRequest: ResetRequest,
  PasswordResetCompletion: ResetCompletion,
  Plan: PlanAnswer,
  PlanPage: PlanPageAnswer,
  SubscriptionRequest: SubscribeBody,
  Subscription: SubscriptionJson,
  SubscriptionPage: SubscriptionPageJson,
  SubscriptionChange: ChangeSubscriptionBody,
  PlanChange: PlanChangeBody,
  PlanChangePreview: PreviewJson,
  ...TAX_SCHEMAS,
  InvoiceTax: TaxJson,
  InvoiceLine: LineJson,
  Invoice: InvoiceJson,
  InvoicePage: InvoicePageJson,
  NamedSubscription: NamedSubscriptionJson,
  SubscriptionList: SubscriptionListJson,
  ListedInvoice: ListedInvoiceJson,
  InvoiceList: InvoiceListJson,
  ListedCharge: ListedChargeJson,
  ChargeList: ChargeListJson,
  ListedDispute: ListedDisputeJson,
  DisputeList: DisputeListJson,
  RefundRequest: RefundBody,
  PayInvoiceRequest: PayBody,
  ...DISPUTE_SCHEMAS,
  Refund: RefundJson,
  HookRequest: HookBody,
  EventStreamMessage: StreamMessage,
  RotateSecretRequest: NewSecret,
  Hook: HookJson,
  ChangedHook: ChangedHookJson,
  RotatedSecret: RotatedSecretJson,
  HookChanges,
  HookHours: HookHoursJson,
  HookList: HookListJson,
  HookTestRequest: HookTestBody,
  HookTestResult: HookTestJson,
  Notification: NotificationJson,
  Delivery: DeliveryJson,
  DeliverySummary: DeliverySummaryJson,
  DeliveryList: DeliveryListJson,
  CatchUpDecision: CatchUpBody,
  CatchUp: CatchUpJson,
  CatchUpReport: CatchUpAnswer,
  AppEndingRequest: EndingBody,
  AppEnding: EndingJson,
  RedeliveryRequest: RedeliverBody,
  Redelivery: RedeliveryJson,
  RedeliveryList: RedeliveryListJson,
  BusinessRequest: NewBusiness,
  BusinessChanges,
  Business: BusinessAnswer,
  BusinessSummary,
  BusinessList: BusinessListAnswer,
  Terminal: TerminalJson,
  TerminalList: TerminalListJson,
  StoreRequest: NewStore,
  Store: StoreAnswer,
  DeviceRequest: NewDeviceBody,
  Device: NewDeviceAnswer,
  ActivationCode: ActivationCodeAnswer,
  Activation: ActivationBody,
  ActivatedDevice: ActivationAnswer,
  BusinessUserRequest: NewUserBody,
  BusinessUserChanges: UserChangesBody,
  BusinessUser: BusinessUserAnswer,
  BusinessUserList: UserListAnswer,
  TerminalSignIn: SignInBody,
  TerminalSession: SignInAnswer,
  UserToken: UserTokenAnswer,
  PurchaseRequest: PurchaseBody,
  Purchase: PurchaseJson,
  SubscriptionOrPurchase: AwaitedJson,
  ApprovalRequest: NewApproval,
  Approval: ApprovalAnswer,
  ApprovalList: ApprovalListAnswer,
  PaymentMethodRequest: PaymentMethodBody,
  PaymentMethod: PaymentMethodJson,
  PaymentMethodList: PaymentMethodPageJson,
  PaymentMethodSetupRequest: SetupBody,
  PaymentMethodSetup: SetupJson,
  OrderEvents: ReportJson,
  OrderEventResults: ReportResults,
  OrderRequest: OpenBody,
  OrderChanges: EditBody,
  Order: OrderJson,
  AppRequest: NewApp,
  AppChanges,
  App: AppAnswer,
  AppList: AppListAnswer,
  AppAtTerminal: AppShownAnswer,
  InstalledAppReport: InstallBody,
  InstalledApp: InstalledAppAnswer,
  PermissionsApproval: PermissionsBody,
  SignedSubscriptions: SignedSubscriptionsAnswer,
  AppKeyRequest: NewAppKey,
  AppKey: AppKeyAnswer,
  ReleaseRequest: NewRelease,
  Rejection,
  ReleaseMessageRequest: NewReleaseMessage,
  Release: ReleaseAnswer,
  ReleasePage: ReleasePageAnswer,
  ReleaseList: ReleaseListAnswer,
  OrganizationRequest: NewOrganization,
  OrganizationChanges,
  Organization: OrganizationAnswer,
  OrganizationList: OrganizationListAnswer,
  OrganizationBalance: OrganizationBalanceJson,
  PayoutRequest: PayoutBody,
  AdjustmentRequest: AdjustmentBody,
  OrganizationBooking: BookedJson,
  OrganizationBookingList: BookingPageJson,
  ...PAYOUT_SCHEMAS,
  BrandRequest: BrandBody,
  Brand: BrandJson,
  SellerRequest: SellerBody,
  Seller: SellerJson,
  BusinessBalance: BusinessBalanceJson,
  OperatorBalance: OperatorBalanceJson,
  StatementList: StatementListJson,
  Statement: StatementJson,
  TaxReport: TaxReportJson,
  Upcoming: UpcomingJson,
  CountryRevenue: CountryRevenueJson,
  DailyRevenue: DailyRevenueJson,
  Revenue: RevenueJson,
  TestClockRequest: CreateBody,
  TestClockAdvance: AdvanceBody,
  TestClock: TestClockJson,
  TestClockList: TestClockListJson,
  ApiRequest: ApiRequestJson,
  ApiRequestList: ApiRequestListJson,
  AuditList: AuditListJson,
  Reconciliations: ReconciliationsJson,
  ...UNSETTLED_SCHEMAS,
  Checks: ChecksJson,
  GatewayEventReceipt,
  Health: HealthJson,
  Readiness: ReadyJson,
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
