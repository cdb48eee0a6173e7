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
import {
  UserAnswer as BusinessUserAnswer,
  NewUserBody,
  SignInAnswer,
  SignInBody,
  UserChangesBody,
  UserListAnswer,
} from '../../access/business-users/schema.ts'
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
import { AppAnswer, AppChanges, AppKeyAnswer, AppShownAnswer, NewApp, NewAppKey } from '../../catalog/apps/schema.ts'
import { NewOrganization, OrganizationAnswer, SellerBody, SellerJson } from '../../catalog/organizations/schema.ts'
import { PlanAnswer, PlanPageAnswer } from '../../catalog/plans/schema.ts'
import { NewRelease, Rejection, ReleaseAnswer, ReleasePageAnswer } from '../../catalog/releases/schema.ts'
import { ApprovalAnswer, ApprovalListAnswer, NewApproval } from '../../merchants/approvals/schema.ts'
import {
  ActivationCodeAnswer,
  BusinessAnswer,
  BusinessChanges,
  NewBusiness,
  NewDeviceAnswer,
  NewDeviceBody,
  NewStore,
  StoreAnswer,
} from '../../merchants/businesses/schema.ts'
import {
  ChangeSubscriptionBody,
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
import { GatewayEventReceipt } from '../../money/gateway-events/schema.ts'
import { ChecksJson } from '../../money/invariant-checks/schema.ts'
import { InvoiceJson, InvoicePageJson, LineJson, RefundJson } from '../../money/invoices/schema.ts'
import {
  BusinessBalanceJson,
  OperatorBalanceJson,
  OrganizationBalanceJson,
  StatementJson,
  StatementListJson,
} from '../../money/ledger/schema.ts'
import { PurchaseJson } from '../../money/purchases/schema.ts'
import { ReconciliationsJson } from '../../money/reconciliations/schema.ts'
import { ChargesJson, QuarantinedJson, RefundsJson, RevenueJson, UpcomingJson } from '../../money/reports/schema.ts'
import { SubscriptionJson, SubscriptionPageJson } from '../../money/subscriptions/schema.ts'
import { AdvanceBody, CreateBody, TestClockJson, TestClockListJson } from '../../money/test-clocks/schema.ts'
import { AuditListJson } from '../../platform/audit/schema.ts'
import { AppUrn, DeviceUrn, Link, Timestamp, Uuid } from '../../platform/http/wire.ts'
import { ActivationAnswer, ActivationBody, PurchaseBody, UserTokenAnswer } from '../../terminals/terminal-api/schema.ts'
import { HookBody, HookChanges, HookJson, HookListJson } from '../../webhooks/hooks/schema.ts'
import {
  DeliveryJson,
  DeliveryListJson,
  DeliverySummaryJson,
  HookTestJson,
} from '../../webhooks/notifications/schema.ts'
import { EditBody, OpenBody, OrderJson } from '../../webhooks/orders/schema.ts'
import {
  ChangedHookJson,
  RedeliverBody,
  RedeliveryJson,
  RedeliveryListJson,
} from '../../webhooks/redeliveries/schema.ts'
import { HealthJson, ReadyJson } from '../operations/schema.ts'

/** The shapes that have a name in the contract. One that is not here is written out where it is used. */
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
  CurrentSession: CurrentAnswer,
  Session: SessionAnswer,
  SessionList: SessionsAnswer,
  MembershipChoice,
  Membership: MembershipAnswer,
  Person: PersonAnswer,
  People: PeopleAnswer,
  RoleChange,
  NewInvitation,
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
  NewSubscription: SubscribeBody,
  Subscription: SubscriptionJson,
  SubscriptionPage: SubscriptionPageJson,
  SubscriptionChange: ChangeSubscriptionBody,
  PlanChange: PlanChangeBody,
  PlanChangePreview: PreviewJson,
  InvoiceLine: LineJson,
  Invoice: InvoiceJson,
  InvoicePage: InvoicePageJson,
  NewRefund: RefundBody,
  Refund: RefundJson,
  NewHook: HookBody,
  Hook: HookJson,
  ChangedHook: ChangedHookJson,
  HookChanges,
  HookList: HookListJson,
  HookTest: HookTestJson,
  Delivery: DeliveryJson,
  DeliverySummary: DeliverySummaryJson,
  DeliveryList: DeliveryListJson,
  NewRedelivery: RedeliverBody,
  Redelivery: RedeliveryJson,
  RedeliveryList: RedeliveryListJson,
  NewBusiness,
  BusinessChanges,
  Business: BusinessAnswer,
  NewStore,
  Store: StoreAnswer,
  NewDevice: NewDeviceBody,
  Device: NewDeviceAnswer,
  ActivationCode: ActivationCodeAnswer,
  Activation: ActivationBody,
  ActivatedDevice: ActivationAnswer,
  NewBusinessUser: NewUserBody,
  BusinessUserChanges: UserChangesBody,
  BusinessUser: BusinessUserAnswer,
  BusinessUserList: UserListAnswer,
  TerminalSignIn: SignInBody,
  TerminalSession: SignInAnswer,
  UserToken: UserTokenAnswer,
  NewPurchase: PurchaseBody,
  Purchase: PurchaseJson,
  NewApproval,
  Approval: ApprovalAnswer,
  ApprovalList: ApprovalListAnswer,
  NewPaymentMethod: PaymentMethodBody,
  PaymentMethod: PaymentMethodJson,
  PaymentMethodList: PaymentMethodPageJson,
  NewPaymentMethodSetup: SetupBody,
  PaymentMethodSetup: SetupJson,
  NewOrder: OpenBody,
  OrderChanges: EditBody,
  Order: OrderJson,
  NewApp,
  AppChanges,
  App: AppAnswer,
  AppAtTerminal: AppShownAnswer,
  NewAppKey,
  AppKey: AppKeyAnswer,
  NewRelease,
  Rejection,
  Release: ReleaseAnswer,
  ReleasePage: ReleasePageAnswer,
  NewOrganization,
  Organization: OrganizationAnswer,
  OrganizationBalance: OrganizationBalanceJson,
  NewSeller: SellerBody,
  Seller: SellerJson,
  BusinessBalance: BusinessBalanceJson,
  OperatorBalance: OperatorBalanceJson,
  StatementList: StatementListJson,
  Statement: StatementJson,
  Upcoming: UpcomingJson,
  Revenue: RevenueJson,
  NewTestClock: CreateBody,
  TestClockAdvance: AdvanceBody,
  TestClock: TestClockJson,
  TestClockList: TestClockListJson,
  AuditList: AuditListJson,
  Reconciliations: ReconciliationsJson,
  UnsettledCharges: ChargesJson,
  UnsettledRefunds: RefundsJson,
  QuarantinedList: QuarantinedJson,
  Checks: ChecksJson,
  GatewayEventReceipt,
  Health: HealthJson,
  Readiness: ReadyJson,
}
