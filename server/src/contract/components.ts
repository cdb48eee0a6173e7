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
} from '../accounts/schema.ts'
import { ApprovalAnswer, ApprovalListAnswer, NewApproval } from '../approvals/schema.ts'
import { AppAnswer, AppChanges, AppKeyAnswer, AppShownAnswer, NewApp, NewAppKey } from '../apps/schema.ts'
import { AuditListJson } from '../audit/schema.ts'
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
} from '../billing/schema.ts'
import {
  UserAnswer as BusinessUserAnswer,
  NewUserBody,
  SignInAnswer,
  SignInBody,
  UserChangesBody,
  UserListAnswer,
} from '../business-users/schema.ts'
import {
  ActivationCodeAnswer,
  BusinessAnswer,
  BusinessChanges,
  NewBusiness,
  NewDeviceAnswer,
  NewDeviceBody,
  NewStore,
  StoreAnswer,
} from '../businesses/schema.ts'
import { ChecksJson } from '../checkers/schema.ts'
import { GatewayEventReceipt } from '../gateway-events/schema.ts'
import { HookBody, HookChanges, HookJson, HookListJson } from '../hooks/schema.ts'
import { AppUrn, DeviceUrn, Link, Timestamp, Uuid } from '../http/wire.ts'
import { Acceptance, InvitationAnswer, InvitationsAnswer, NewInvitation } from '../invitations/schema.ts'
import { InvoiceJson, InvoicePageJson, LineJson, RefundJson } from '../invoices/schema.ts'
import {
  BusinessBalanceJson,
  OperatorBalanceJson,
  OrganizationBalanceJson,
  StatementJson,
  StatementListJson,
} from '../ledger/schema.ts'
import { MembershipAnswer, PeopleAnswer, PersonAnswer, RoleChange } from '../memberships/schema.ts'
import { DeliveryJson, DeliveryListJson, DeliverySummaryJson, HookTestJson } from '../notifications/schema.ts'
import { HealthJson, ReadyJson } from '../operations/schema.ts'
import { EditBody, OpenBody, OrderJson } from '../orders/schema.ts'
import { NewOrganization, OrganizationAnswer, SellerBody, SellerJson } from '../organizations/schema.ts'
import { PlanAnswer, PlanPageAnswer } from '../plans/schema.ts'
import { PurchaseJson } from '../purchases/schema.ts'
import { ReconciliationsJson } from '../reconciliations/schema.ts'
import { ChangedHookJson, RedeliverBody, RedeliveryJson, RedeliveryListJson } from '../redeliveries/schema.ts'
import { NewRelease, Rejection, ReleaseAnswer, ReleasePageAnswer } from '../releases/schema.ts'
import { ChargesJson, RefundsJson, RevenueJson, SetAsideJson, UpcomingJson } from '../reports/schema.ts'
import {
  CurrentAnswer,
  MembershipChoice,
  OpenedAnswer,
  SessionAnswer,
  SessionsAnswer,
  SignIn,
} from '../sessions/schema.ts'
import { SubscriptionJson, SubscriptionPageJson } from '../subscriptions/schema.ts'
import { ActivationAnswer, ActivationBody, PurchaseBody, UserTokenAnswer } from '../terminals/schema.ts'
import { AdvanceBody, CreateBody, TestClockJson, TestClockListJson } from '../test-clocks/schema.ts'
import { KeySet, RevocationForm, RotatedJson, TokenAnswer, TokenForm } from '../tokens/schema.ts'
import { UserAnswer, UserChange } from '../users/schema.ts'

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
  SetAsideList: SetAsideJson,
  Checks: ChecksJson,
  GatewayEventReceipt,
  Health: HealthJson,
  Readiness: ReadyJson,
}
