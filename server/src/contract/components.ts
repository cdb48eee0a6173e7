import type { TSchema } from 'typebox'
import { ApprovalAnswer, ApprovalListAnswer, NewApproval } from '../approvals/schema.ts'
import { AppAnswer, AppChanges, AppKeyAnswer, NewApp, NewAppKey } from '../apps/schema.ts'
import { AuditListJson } from '../audit/schema.ts'
import {
  ChangeSubscriptionBody,
  PaymentMethodBody,
  PaymentMethodJson,
  PaymentMethodListJson,
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
import { HookBody, HookChanges, HookJson, HookListJson } from '../hooks/schema.ts'
import { AppUrn, DeviceUrn, Link, Timestamp, Uuid } from '../http/wire.ts'
import { InvoiceJson, InvoicePageJson, LineJson, RefundJson } from '../invoices/schema.ts'
import {
  BusinessBalanceJson,
  OperatorBalanceJson,
  OrganizationBalanceJson,
  StatementJson,
  StatementListJson,
} from '../ledger/schema.ts'
import { DeliveryJson, DeliveryListJson, DeliverySummaryJson, HookTestJson } from '../notifications/schema.ts'
import { EditBody, OpenBody, OrderJson } from '../orders/schema.ts'
import { NewOrganization, OrganizationAnswer } from '../organizations/schema.ts'
import { PlanAnswer, PlanPageAnswer } from '../plans/schema.ts'
import { PurchaseJson } from '../purchases/schema.ts'
import { ReconciliationsJson } from '../reconciliations/schema.ts'
import { RedeliverBody, RedeliveryJson, RedeliveryListJson } from '../redeliveries/schema.ts'
import { NewRelease, Rejection, ReleaseAnswer, ReleasePageAnswer } from '../releases/schema.ts'
import { RevenueJson, UpcomingJson } from '../reports/schema.ts'
import { SubscriptionJson, SubscriptionPageJson } from '../subscriptions/schema.ts'
import { ActivationAnswer, ActivationBody, PurchaseBody, UserTokenAnswer } from '../terminals/schema.ts'
import { AdvanceBody, CreateBody, TestClockJson, TestClockListJson } from '../test-clocks/schema.ts'
import { KeySet, RevocationForm, TokenAnswer, TokenForm } from '../tokens/schema.ts'

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
  PaymentMethodList: PaymentMethodListJson,
  NewPaymentMethodSetup: SetupBody,
  PaymentMethodSetup: SetupJson,
  NewOrder: OpenBody,
  OrderChanges: EditBody,
  Order: OrderJson,
  NewApp,
  AppChanges,
  App: AppAnswer,
  NewAppKey,
  AppKey: AppKeyAnswer,
  NewRelease,
  Rejection,
  Release: ReleaseAnswer,
  ReleasePage: ReleasePageAnswer,
  NewOrganization,
  Organization: OrganizationAnswer,
  OrganizationBalance: OrganizationBalanceJson,
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
}
