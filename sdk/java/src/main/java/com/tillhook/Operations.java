// Generated from contract/openapi.json by `npm run print`.
package com.tillhook;

import com.tillhook.model.*;
import java.util.Map;
import java.util.function.Function;

/** One method for each JSON operation of the contract. */
abstract class Operations {
  /** Carries an operation out. `params` holds names and values in turn; a value of null is absent. */
  abstract <T> T invoke(String name, String route, Query query, Model body, Function<Map<String, ?>, T> read, Object... params);

  /** Revoke a key of an app, and the tokens that it proved. */
  public void revokeAppKey(String kid) {
    invoke("revokeAppKey", "DELETE /apps/{appId}/keys/{kid}", null, null, fields -> null, "kid", kid);
  }

  /** Make the next key of access tokens now: it is published at once and signs in ten minutes. */
  public SigningKey rotateSigningKey() {
    return invoke("rotateSigningKey", "POST /signing-keys/rotate", null, null, SigningKey::new);
  }

  /** The public keys of access tokens. */
  public KeySet getKeySet() {
    return invoke("getKeySet", "GET /.well-known/jwks.json", null, null, KeySet::new);
  }

  /** List organizations by name, e-mail or id, newest first. */
  public OrganizationList listOrganizations() {
    return listOrganizations(new ListOrganizationsQuery());
  }

  /** List organizations by name, e-mail or id, newest first. */
  public OrganizationList listOrganizations(ListOrganizationsQuery query) {
    return invoke("listOrganizations", "GET /organizations", query, null, OrganizationList::new);
  }

  /** Make a developer organization. */
  public Organization createOrganization(OrganizationRequest body) {
    return invoke("createOrganization", "POST /organizations keyed", null, body, Organization::new);
  }

  /** Read an organization. */
  public Organization getOrganization(String organizationId) {
    return invoke("getOrganization", "GET /organizations/{organizationId}", null, null, Organization::new, "organizationId", organizationId);
  }

  /** How an organization is named on invoices that are issued now. */
  public Seller getSeller(String organizationId) {
    return invoke("getSeller", "GET /organizations/{organizationId}/seller", null, null, Seller::new, "organizationId", organizationId);
  }

  /** Name an organization on the invoices that are issued from now on. */
  public Seller nameSeller(String organizationId, SellerRequest body) {
    return invoke("nameSeller", "PUT /organizations/{organizationId}/seller", null, body, Seller::new, "organizationId", organizationId);
  }

  /** List apps by name, package name or id, newest first. */
  public AppList listApps() {
    return listApps(new ListAppsQuery());
  }

  /** List apps by name, package name or id, newest first. */
  public AppList listApps(ListAppsQuery query) {
    return invoke("listApps", "GET /apps", query, null, AppList::new);
  }

  /** Make an app, maybe with its icon. */
  public App createApp(AppRequest body) {
    return invoke("createApp", "POST /apps keyed", null, body, App::new);
  }

  /** Read an app. */
  public App getApp() {
    return invoke("getApp", "GET /apps/{appId}", null, null, App::new);
  }

  /** Change an app or its icon, disable or enable it. */
  public App updateApp() {
    return updateApp(new AppChanges());
  }

  /** Change an app or its icon, disable or enable it. */
  public App updateApp(AppChanges body) {
    return invoke("updateApp", "PATCH /apps/{appId}", null, body, App::new);
  }

  /** Add a key to an app. */
  public AppKey addAppKey() {
    return addAppKey(new AppKeyRequest());
  }

  /** Add a key to an app. */
  public AppKey addAppKey(AppKeyRequest body) {
    return invoke("addAppKey", "POST /apps/{appId}/keys keyed", null, body, AppKey::new);
  }

  /** Remove the picture of an app. */
  public void removeAppIcon() {
    invoke("removeAppIcon", "DELETE /apps/{appId}/icon", null, null, fields -> null);
  }

  /** List an app's releases, without their plans. */
  public ReleasePage listReleases() {
    return listReleases(new ListReleasesQuery());
  }

  /** List an app's releases, without their plans. */
  public ReleasePage listReleases(ListReleasesQuery query) {
    return invoke("listReleases", "GET /apps/{appId}/releases", query, null, ReleasePage::new);
  }

  /** Submit a version of an app, with its plans and maybe its package, for review. */
  public Release submitRelease(ReleaseRequest body) {
    return invoke("submitRelease", "POST /apps/{appId}/releases keyed", null, body, Release::new);
  }

  /** List the releases of all apps, newest first, without their plans: SUBMITTED ones wait for review. */
  public ReleaseList listAllReleases() {
    return listAllReleases(new ListAllReleasesQuery());
  }

  /** List the releases of all apps, newest first, without their plans: SUBMITTED ones wait for review. */
  public ReleaseList listAllReleases(ListAllReleasesQuery query) {
    return invoke("listAllReleases", "GET /releases", query, null, ReleaseList::new);
  }

  /** Read a release with its plans. */
  public Release getRelease(String releaseId) {
    return invoke("getRelease", "GET /apps/{appId}/releases/{releaseId}", null, null, Release::new, "releaseId", releaseId);
  }

  /** Approve a release: its plans become active and readable. */
  public Release approveRelease(String releaseId) {
    return invoke("approveRelease", "POST /apps/{appId}/releases/{releaseId}/approve keyed", null, null, Release::new, "releaseId", releaseId);
  }

  /** Reject a release, saying why. */
  public Release rejectRelease(String releaseId, Rejection body) {
    return invoke("rejectRelease", "POST /apps/{appId}/releases/{releaseId}/reject keyed", null, body, Release::new, "releaseId", releaseId);
  }

  /** Take a release back that waits for review; its package is deleted. */
  public Release withdrawRelease(String releaseId) {
    return invoke("withdrawRelease", "POST /apps/{appId}/releases/{releaseId}/withdraw keyed", null, null, Release::new, "releaseId", releaseId);
  }

  /** Ask the developer about a release in review, or answer the operator's question. */
  public Release writeReleaseMessage(String releaseId, ReleaseMessageRequest body) {
    return invoke("writeReleaseMessage", "POST /apps/{appId}/releases/{releaseId}/messages keyed", null, body, Release::new, "releaseId", releaseId);
  }

  /** List an app's plans. */
  public PlanPage listPlans() {
    return listPlans(new ListPlansQuery());
  }

  /** List an app's plans. */
  public PlanPage listPlans(ListPlansQuery query) {
    return invoke("listPlans", "GET /apps/{appId}/plans", query, null, PlanPage::new);
  }

  /** Retire a plan: no new subscribers. */
  public Plan retirePlan(String planId) {
    return invoke("retirePlan", "POST /apps/{appId}/plans/{planId}/retire keyed", null, null, Plan::new, "planId", planId);
  }

  /** List businesses by name, e-mail or id, newest first, without their stores. */
  public BusinessList searchBusinesses() {
    return searchBusinesses(new SearchBusinessesQuery());
  }

  /** List businesses by name, e-mail or id, newest first, without their stores. */
  public BusinessList searchBusinesses(SearchBusinessesQuery query) {
    return invoke("searchBusinesses", "GET /businesses/search", query, null, BusinessList::new);
  }

  /** Find the business that a terminal stands in. */
  public Business findBusiness(String storeDeviceId) {
    return invoke("findBusiness", "GET /businesses", null, null, Business::new, "storeDeviceId", storeDeviceId);
  }

  /** Make a merchant or a test merchant. */
  public Business createBusiness(BusinessRequest body) {
    return invoke("createBusiness", "POST /businesses keyed", null, body, Business::new);
  }

  /** Read a business with its stores and devices. */
  public Business getBusiness(String businessId) {
    return invoke("getBusiness", "GET /businesses/{businessId}", null, null, Business::new, "businessId", businessId);
  }

  /** Change a business. */
  public Business updateBusiness(String businessId) {
    return updateBusiness(businessId, new BusinessChanges());
  }

  /** Change a business. */
  public Business updateBusiness(String businessId, BusinessChanges body) {
    return invoke("updateBusiness", "PATCH /businesses/{businessId}", null, body, Business::new, "businessId", businessId);
  }

  /** Open a store. */
  public Store addStore(String businessId, StoreRequest body) {
    return invoke("addStore", "POST /businesses/{businessId}/stores keyed", null, body, Store::new, "businessId", businessId);
  }

  /** Register a terminal and get its activation code. */
  public Device addDevice(String businessId, String storeId, DeviceRequest body) {
    return invoke("addDevice", "POST /businesses/{businessId}/stores/{storeId}/devices keyed", null, body, Device::new, "businessId", businessId, "storeId", storeId);
  }

  /** Get another activation code for a terminal. */
  public ActivationCode renewActivationCode(String businessId, String deviceId) {
    return invoke("renewActivationCode", "POST /businesses/{businessId}/devices/{deviceId}/activation-code keyed", null, null, ActivationCode::new, "businessId", businessId, "deviceId", deviceId);
  }

  /** List the apps that a business approves of. */
  public ApprovalList listApprovals(String businessId) {
    return invoke("listApprovals", "GET /businesses/{businessId}/approvals", null, null, ApprovalList::new, "businessId", businessId);
  }

  /** Approve an app, or change the rights it has. */
  public Approval approveApp(String businessId, ApprovalRequest body) {
    return invoke("approveApp", "POST /businesses/{businessId}/approvals keyed", null, body, Approval::new, "businessId", businessId);
  }

  /** Lists an app's subscriptions: the active ones of all merchants, unless filtered. */
  public SubscriptionPage listSubscriptions() {
    return listSubscriptions(new ListSubscriptionsQuery());
  }

  /** Lists an app's subscriptions: the active ones of all merchants, unless filtered. */
  public SubscriptionPage listSubscriptions(ListSubscriptionsQuery query) {
    return invoke("listSubscriptions", "GET /apps/{appId}/subscriptions", query, null, SubscriptionPage::new);
  }

  /** A merchant subscribes to a plan. The answer waits up to 5 s for the first payment; while it is open the subscription is PENDING (202). An app that may not subscribe for the merchant asks it to confirm (202). */
  public SubscriptionOrPurchase subscribe(SubscriptionRequest body) {
    return invoke("subscribe", "POST /apps/{appId}/subscriptions keyed", null, body, SubscriptionOrPurchase::new);
  }

  /** One subscription. The link of every billing event. */
  public Subscription getSubscription(String subscriptionId) {
    return invoke("getSubscription", "GET /apps/{appId}/subscriptions/{subscriptionId}", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** Changes the plan, now or at the end of the period; or moves it to another device or store. An app that may not do so for the merchant asks it to confirm the plan (202). */
  public SubscriptionOrPurchase changeSubscription(String subscriptionId) {
    return changeSubscription(subscriptionId, new SubscriptionChange());
  }

  /** Changes the plan, now or at the end of the period; or moves it to another device or store. An app that may not do so for the merchant asks it to confirm the plan (202). */
  public SubscriptionOrPurchase changeSubscription(String subscriptionId, SubscriptionChange body) {
    return invoke("changeSubscription", "PATCH /apps/{appId}/subscriptions/{subscriptionId}", null, body, SubscriptionOrPurchase::new, "subscriptionId", subscriptionId);
  }

  /** Cancels: at once, or at the end of the paid period, as the plan says. */
  public Subscription cancelSubscription(String subscriptionId) {
    return invoke("cancelSubscription", "DELETE /apps/{appId}/subscriptions/{subscriptionId}", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** Undoes a scheduled cancellation; an app that may not do so for the merchant asks it to confirm (202). */
  public SubscriptionOrPurchase restoreSubscription(String subscriptionId) {
    return invoke("restoreSubscription", "POST /apps/{appId}/subscriptions/{subscriptionId}/restore keyed", null, null, SubscriptionOrPurchase::new, "subscriptionId", subscriptionId);
  }

  /** The operator ends a subscription now. */
  public Subscription endSubscription(String subscriptionId) {
    return invoke("endSubscription", "POST /apps/{appId}/subscriptions/{subscriptionId}/end keyed", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** What a change of plan would bring: the lines of its invoice, and the credit. Nothing is stored. */
  public PlanChangePreview previewPlanChange(String subscriptionId, PlanChange body) {
    return invoke("previewPlanChange", "POST /apps/{appId}/subscriptions/{subscriptionId}/preview", null, body, PlanChangePreview::new, "subscriptionId", subscriptionId);
  }

  /** What became of a purchase that a merchant was asked to confirm. */
  public Purchase getPurchase(String purchaseId) {
    return invoke("getPurchase", "GET /apps/{appId}/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** A merchant's invoices, oldest first. An app sees the invoices of its own subscriptions. */
  public InvoicePage listInvoices(String businessId) {
    return listInvoices(businessId, new ListInvoicesQuery());
  }

  /** A merchant's invoices, oldest first. An app sees the invoices of its own subscriptions. */
  public InvoicePage listInvoices(String businessId, ListInvoicesQuery query) {
    return invoke("listInvoices", "GET /businesses/{businessId}/invoices", query, null, InvoicePage::new, "businessId", businessId);
  }

  /** One invoice: the link in payment and refund events. */
  public Invoice getInvoice(String businessId, String invoiceId) {
    return invoke("getInvoice", "GET /businesses/{businessId}/invoices/{invoiceId}", null, null, Invoice::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** Search the subscriptions of all apps that the caller may see, newest first. */
  public SubscriptionList searchSubscriptions() {
    return searchSubscriptions(new SearchSubscriptionsQuery());
  }

  /** Search the subscriptions of all apps that the caller may see, newest first. */
  public SubscriptionList searchSubscriptions(SearchSubscriptionsQuery query) {
    return invoke("searchSubscriptions", "GET /subscriptions/search", query, null, SubscriptionList::new);
  }

  /** List the invoices of all apps that the caller may see, newest first, without lines and attempts. */
  public InvoiceList searchInvoices() {
    return searchInvoices(new SearchInvoicesQuery());
  }

  /** List the invoices of all apps that the caller may see, newest first, without lines and attempts. */
  public InvoiceList searchInvoices(SearchInvoicesQuery query) {
    return invoke("searchInvoices", "GET /invoices", query, null, InvoiceList::new);
  }

  /** List the charges of all apps that the caller may see, newest first. */
  public ChargeList searchCharges() {
    return searchCharges(new SearchChargesQuery());
  }

  /** List the charges of all apps that the caller may see, newest first. */
  public ChargeList searchCharges(SearchChargesQuery query) {
    return invoke("searchCharges", "GET /charges", query, null, ChargeList::new);
  }

  /** List the disputes of all apps that the caller may see, newest first. */
  public DisputeList searchDisputes() {
    return searchDisputes(new SearchDisputesQuery());
  }

  /** List the disputes of all apps that the caller may see, newest first. */
  public DisputeList searchDisputes(SearchDisputesQuery query) {
    return invoke("searchDisputes", "GET /disputes", query, null, DisputeList::new);
  }

  /** Orders a refund; REFUND_SUCCESS follows when the gateway says so. */
  public Refund refundInvoice(String businessId, String invoiceId) {
    return refundInvoice(businessId, invoiceId, new RefundRequest());
  }

  /** Orders a refund; REFUND_SUCCESS follows when the gateway says so. */
  public Refund refundInvoice(String businessId, String invoiceId, RefundRequest body) {
    return invoke("refundInvoice", "POST /businesses/{businessId}/invoices/{invoiceId}/refunds keyed", null, body, Refund::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** Opens or decides a dispute of a test merchant's payment, as the payer's bank does. */
  public Dispute disputeInvoice(String businessId, String invoiceId, DisputeRequest body) {
    return invoke("disputeInvoice", "PUT /businesses/{businessId}/invoices/{invoiceId}/test-dispute", null, body, Dispute::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** Charges an open invoice now; the outcome follows in the invoice and as an event. */
  public Invoice payInvoice(String businessId, String invoiceId) {
    return payInvoice(businessId, invoiceId, new PayInvoiceRequest());
  }

  /** Charges an open invoice now; the outcome follows in the invoice and as an event. */
  public Invoice payInvoice(String businessId, String invoiceId, PayInvoiceRequest body) {
    return invoke("payInvoice", "POST /businesses/{businessId}/invoices/{invoiceId}/pay keyed", null, body, Invoice::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** A merchant's payment methods, the default first. */
  public PaymentMethodList listPaymentMethods(String businessId) {
    return listPaymentMethods(businessId, new ListPaymentMethodsQuery());
  }

  /** A merchant's payment methods, the default first. */
  public PaymentMethodList listPaymentMethods(String businessId, ListPaymentMethodsQuery query) {
    return invoke("listPaymentMethods", "GET /businesses/{businessId}/payment-methods", query, null, PaymentMethodList::new, "businessId", businessId);
  }

  /** Saves a payment method; it becomes the default, and what is past due is charged at once. */
  public PaymentMethod addPaymentMethod(String businessId, PaymentMethodRequest body) {
    return invoke("addPaymentMethod", "POST /businesses/{businessId}/payment-methods keyed", null, body, PaymentMethod::new, "businessId", businessId);
  }

  /** Begins the saving of a card by the gateway's own element in a page, so that no card number passes us. */
  public PaymentMethodSetup beginPaymentMethod(String businessId, PaymentMethodSetupRequest body) {
    return invoke("beginPaymentMethod", "POST /businesses/{businessId}/payment-methods/setup keyed", null, body, PaymentMethodSetup::new, "businessId", businessId);
  }

  /** Makes a saved payment method the default, and charges what is past due with it. */
  public PaymentMethod setDefaultPaymentMethod(String businessId, String paymentMethodId) {
    return invoke("setDefaultPaymentMethod", "PUT /businesses/{businessId}/payment-methods/{paymentMethodId}/default", null, null, PaymentMethod::new, "businessId", businessId, "paymentMethodId", paymentMethodId);
  }

  /** Removes a payment method. The default of a live paid subscription stays until another one is the default. */
  public void removePaymentMethod(String businessId, String paymentMethodId) {
    invoke("removePaymentMethod", "DELETE /businesses/{businessId}/payment-methods/{paymentMethodId}", null, null, fields -> null, "businessId", businessId, "paymentMethodId", paymentMethodId);
  }

  /** Ends all subscriptions of a disabled app, as a job that goes on by itself. */
  public AppEnding endAppSubscriptions(AppEndingRequest body) {
    return invoke("endAppSubscriptions", "POST /apps/{appId}/endings keyed", null, body, AppEnding::new);
  }

  /** How far the end of all subscriptions of an app has come. */
  public AppEnding getAppEnding(String endingId) {
    return invoke("getAppEnding", "GET /apps/{appId}/endings/{endingId}", null, null, AppEnding::new, "endingId", endingId);
  }

  /** The last outage of billing of more than a day, and what waits to be charged. */
  public CatchUpReport getCatchUp() {
    return invoke("getCatchUp", "GET /operations/catch-up", null, null, CatchUpReport::new);
  }

  /** Charges what waits after an outage now, over days, or never. */
  public CatchUp decideCatchUp(CatchUpDecision body) {
    return invoke("decideCatchUp", "POST /operations/catch-up keyed", null, body, CatchUp::new);
  }

  /** The balance of a developer in each currency, and its parts. */
  public OrganizationBalance getOrganizationBalance(String organizationId) {
    return invoke("getOrganizationBalance", "GET /organizations/{organizationId}/balance", null, null, OrganizationBalance::new, "organizationId", organizationId);
  }

  /** The months with bookings, newest first. */
  public StatementList listStatements(String organizationId) {
    return listStatements(organizationId, new ListStatementsQuery());
  }

  /** The months with bookings, newest first. */
  public StatementList listStatements(String organizationId, ListStatementsQuery query) {
    return invoke("listStatements", "GET /organizations/{organizationId}/statements", query, null, StatementList::new, "organizationId", organizationId);
  }

  /** The bookings of a month by plan, with the balance before and after. */
  public Statement getStatement(String organizationId, String month) {
    return getStatement(organizationId, month, new GetStatementQuery());
  }

  /** The bookings of a month by plan, with the balance before and after. */
  public Statement getStatement(String organizationId, String month, GetStatementQuery query) {
    return invoke("getStatement", "GET /organizations/{organizationId}/statements/{month}", query, null, Statement::new, "organizationId", organizationId, "month", month);
  }

  /** Payments and credit of a merchant. A developer sees the part of its own apps. */
  public BusinessBalance getBusinessBalance(String businessId) {
    return invoke("getBusinessBalance", "GET /businesses/{businessId}/balance", null, null, BusinessBalance::new, "businessId", businessId);
  }

  /** The operator's share, the fees that it bears, and its debt to all developers, in each currency. */
  public OperatorBalance getOperatorBalance() {
    return invoke("getOperatorBalance", "GET /operator/balance", null, null, OperatorBalance::new);
  }

  /** Collected and returned tax of a month by country and rate. */
  public TaxReport getTaxReport(String month) {
    return getTaxReport(month, new GetTaxReportQuery());
  }

  /** Collected and returned tax of a month by country and rate. */
  public TaxReport getTaxReport(String month, GetTaxReportQuery query) {
    return invoke("getTaxReport", "GET /reports/tax/{month}", query, null, TaxReport::new, "month", month);
  }

  /** Payouts, fees and adjustments of a developer, newest first. */
  public OrganizationBookingList listPayouts(String organizationId) {
    return listPayouts(organizationId, new ListPayoutsQuery());
  }

  /** Payouts, fees and adjustments of a developer, newest first. */
  public OrganizationBookingList listPayouts(String organizationId, ListPayoutsQuery query) {
    return invoke("listPayouts", "GET /organizations/{organizationId}/payouts", query, null, OrganizationBookingList::new, "organizationId", organizationId);
  }

  /** Books what the operator paid to a developer, never more than is owed. */
  public OrganizationBooking bookPayout(String organizationId, PayoutRequest body) {
    return invoke("bookPayout", "POST /organizations/{organizationId}/payouts keyed", null, body, OrganizationBooking::new, "organizationId", organizationId);
  }

  /** Books a fee of the gateway that the developer bears, or adjusts the developer's balance. */
  public OrganizationBooking bookAdjustment(String organizationId, AdjustmentRequest body) {
    return invoke("bookAdjustment", "POST /organizations/{organizationId}/adjustments keyed", null, body, OrganizationBooking::new, "organizationId", organizationId);
  }

  /** The account on which a developer receives payouts. */
  public PayoutAccount getPayoutAccount(String organizationId) {
    return invoke("getPayoutAccount", "GET /organizations/{organizationId}/payout-account", null, null, PayoutAccount::new, "organizationId", organizationId);
  }

  /** Open the payout account of a developer, or get another link to complete the account. */
  public OpenedPayoutAccount openPayoutAccount(String organizationId) {
    return invoke("openPayoutAccount", "POST /organizations/{organizationId}/payout-account keyed", null, null, OpenedPayoutAccount::new, "organizationId", organizationId);
  }

  /** Transfers to the payout account of a developer, newest first. */
  public PayoutTransferList listTransfers(String organizationId) {
    return listTransfers(organizationId, new ListTransfersQuery());
  }

  /** Transfers to the payout account of a developer, newest first. */
  public PayoutTransferList listTransfers(String organizationId, ListTransfersQuery query) {
    return invoke("listTransfers", "GET /organizations/{organizationId}/transfers", query, null, PayoutTransferList::new, "organizationId", organizationId);
  }

  /** Transfer the closing balance of a statement to the payout account, at most what is owed now. */
  public PayoutTransfer orderTransfer(String organizationId, PayoutTransferRequest body) {
    return invoke("orderTransfer", "POST /organizations/{organizationId}/transfers keyed", null, body, PayoutTransfer::new, "organizationId", organizationId);
  }

  /** The source of an organization's tax rates, and the rates by country and date. */
  public TaxSettings getTaxSettings(String organizationId) {
    return invoke("getTaxSettings", "GET /organizations/{organizationId}/tax", null, null, TaxSettings::new, "organizationId", organizationId);
  }

  /** Choose the tax rates of an organization's invoices from now on. */
  public TaxSettings chooseTaxSource(String organizationId, TaxSettingsRequest body) {
    return invoke("chooseTaxSource", "PUT /organizations/{organizationId}/tax", null, body, TaxSettings::new, "organizationId", organizationId);
  }

  /** Set a rate of an organization from a date on. The rate applies where the source is OWN. */
  public TaxRate setTaxRate(String organizationId, String country, String validFrom, TaxRateRequest body) {
    return invoke("setTaxRate", "PUT /organizations/{organizationId}/tax-rates/{country}/{validFrom}", null, body, TaxRate::new, "organizationId", organizationId, "country", country, "validFrom", validFrom);
  }

  /** Remove a rate of an organization. */
  public void removeTaxRate(String organizationId, String country, String validFrom) {
    invoke("removeTaxRate", "DELETE /organizations/{organizationId}/tax-rates/{country}/{validFrom}", null, null, fields -> null, "organizationId", organizationId, "country", country, "validFrom", validFrom);
  }

  /** The operator's tax rates by country, latest date first. */
  public TaxRateList listOperatorTaxRates() {
    return invoke("listOperatorTaxRates", "GET /tax-rates", null, null, TaxRateList::new);
  }

  /** Set a rate of the operator's table from a date on. */
  public TaxRate setOperatorTaxRate(String country, String validFrom) {
    return invoke("setOperatorTaxRate", "PUT /tax-rates/{country}/{validFrom}", null, null, TaxRate::new, "country", country, "validFrom", validFrom);
  }

  /** Remove a rate of the operator's table. */
  public void removeOperatorTaxRate(String country, String validFrom) {
    invoke("removeOperatorTaxRate", "DELETE /tax-rates/{country}/{validFrom}", null, null, fields -> null, "country", country, "validFrom", validFrom);
  }

  /** List hooks, in the order in which they were made. */
  public HookList listHooks() {
    return listHooks(new ListHooksQuery());
  }

  /** List hooks, in the order in which they were made. */
  public HookList listHooks(ListHooksQuery query) {
    return invoke("listHooks", "GET /hooks", query, null, HookList::new);
  }

  /** Register a hook; the same one again takes the new secret. */
  public Hook registerHook(HookRequest body) {
    return invoke("registerHook", "POST /hooks", null, body, Hook::new);
  }

  /** Read a hook. */
  public Hook getHook(String hookId) {
    return invoke("getHook", "GET /hooks/{hookId}", null, null, Hook::new, "hookId", hookId);
  }

  /** Change a hook; what is not sent stays as it is. */
  public ChangedHook updateHook(String hookId) {
    return updateHook(hookId, new HookChanges());
  }

  /** Change a hook; what is not sent stays as it is. */
  public ChangedHook updateHook(String hookId, HookChanges body) {
    return invoke("updateHook", "PATCH /hooks/{hookId}", null, body, ChangedHook::new, "hookId", hookId);
  }

  /** Delete a hook; what waits for it ends as ERRORED. */
  public void deleteHook(String hookId) {
    invoke("deleteHook", "DELETE /hooks/{hookId}", null, null, fields -> null, "hookId", hookId);
  }

  /** Count the attempts of a hook by hour and outcome, with p50 and p95 of their durations: the last 48 hours. */
  public HookHours getHookHealth(String hookId) {
    return getHookHealth(hookId, new GetHookHealthQuery());
  }

  /** Count the attempts of a hook by hour and outcome, with p50 and p95 of their durations: the last 48 hours. */
  public HookHours getHookHealth(String hookId, GetHookHealthQuery query) {
    return invoke("getHookHealth", "GET /hooks/{hookId}/health", query, null, HookHours::new, "hookId", hookId);
  }

  /** Replace the secret; for 24 hours deliveries carry the signatures of both secrets. */
  public RotatedSecret rotateHookSecret(String hookId) {
    return rotateHookSecret(hookId, new RotateSecretRequest());
  }

  /** Replace the secret; for 24 hours deliveries carry the signatures of both secrets. */
  public RotatedSecret rotateHookSecret(String hookId, RotateSecretRequest body) {
    return invoke("rotateHookSecret", "POST /hooks/{hookId}/rotate-secret keyed", null, body, RotatedSecret::new, "hookId", hookId);
  }

  /** An app's notifications of the last 30 days, newest first. */
  public DeliveryList listAppDeliveries() {
    return listAppDeliveries(new ListAppDeliveriesQuery());
  }

  /** An app's notifications of the last 30 days, newest first. */
  public DeliveryList listAppDeliveries(ListAppDeliveriesQuery query) {
    return invoke("listAppDeliveries", "GET /apps/{appId}/deliveries", query, null, DeliveryList::new);
  }

  /** A notification of an app, with the attempts to deliver it. */
  public Delivery getAppDelivery(String deliveryId) {
    return invoke("getAppDelivery", "GET /apps/{appId}/deliveries/{deliveryId}", null, null, Delivery::new, "deliveryId", deliveryId);
  }

  /** Notifications about a merchant of the last 30 days, newest first. */
  public DeliveryList listBusinessDeliveries(String businessId) {
    return listBusinessDeliveries(businessId, new ListBusinessDeliveriesQuery());
  }

  /** Notifications about a merchant of the last 30 days, newest first. */
  public DeliveryList listBusinessDeliveries(String businessId, ListBusinessDeliveriesQuery query) {
    return invoke("listBusinessDeliveries", "GET /businesses/{businessId}/deliveries", query, null, DeliveryList::new, "businessId", businessId);
  }

  /** A notification about a merchant, with the attempts to deliver it. */
  public Delivery getBusinessDelivery(String businessId, String deliveryId) {
    return invoke("getBusinessDelivery", "GET /businesses/{businessId}/deliveries/{deliveryId}", null, null, Delivery::new, "businessId", businessId, "deliveryId", deliveryId);
  }

  /** Send a hook a TEST notification or a sample of an event, signed as any other, and see what it answers. */
  public HookTestResult testHook(String hookId) {
    return testHook(hookId, new HookTestRequest());
  }

  /** Send a hook a TEST notification or a sample of an event, signed as any other, and see what it answers. */
  public HookTestResult testHook(String hookId, HookTestRequest body) {
    return invoke("testHook", "POST /hooks/{hookId}/test keyed", null, body, HookTestResult::new, "hookId", hookId);
  }

  /** Revoke the approval of an app; its tokens for the merchant end, and what waits to tell it of orders is dropped. */
  public void revokeApproval(String businessId) {
    invoke("revokeApproval", "DELETE /businesses/{businessId}/approvals/{appId}", null, null, fields -> null, "businessId", businessId);
  }

  /** Send a notification of an app again, the same bytes and id. */
  public DeliverySummary redeliverOfApp(String deliveryId) {
    return invoke("redeliverOfApp", "POST /apps/{appId}/deliveries/{deliveryId}/redeliver keyed", null, null, DeliverySummary::new, "deliveryId", deliveryId);
  }

  /** Send a notification about a merchant again, the same bytes and id. */
  public DeliverySummary redeliverOfBusiness(String businessId, String deliveryId) {
    return invoke("redeliverOfBusiness", "POST /businesses/{businessId}/deliveries/{deliveryId}/redeliver keyed", null, null, DeliverySummary::new, "businessId", businessId, "deliveryId", deliveryId);
  }

  /** Send a range of notifications again, as a job that goes on by itself. */
  public Redelivery startRedelivery() {
    return startRedelivery(new RedeliveryRequest());
  }

  /** Send a range of notifications again, as a job that goes on by itself. */
  public Redelivery startRedelivery(RedeliveryRequest body) {
    return invoke("startRedelivery", "POST /apps/{appId}/deliveries/redeliver keyed", null, body, Redelivery::new);
  }

  /** The redeliveries of an app, newest first. */
  public RedeliveryList listRedeliveries() {
    return listRedeliveries(new ListRedeliveriesQuery());
  }

  /** The redeliveries of an app, newest first. */
  public RedeliveryList listRedeliveries(ListRedeliveriesQuery query) {
    return invoke("listRedeliveries", "GET /apps/{appId}/deliveries/redeliveries", query, null, RedeliveryList::new);
  }

  /** How far a redelivery has come. */
  public Redelivery getRedelivery(String redeliveryId) {
    return invoke("getRedelivery", "GET /apps/{appId}/deliveries/redeliveries/{redeliveryId}", null, null, Redelivery::new, "redeliveryId", redeliveryId);
  }

  /** Cancel a redelivery; what it has queued is still sent. */
  public Redelivery cancelRedelivery(String redeliveryId) {
    return invoke("cancelRedelivery", "DELETE /apps/{appId}/deliveries/redeliveries/{redeliveryId}", null, null, Redelivery::new, "redeliveryId", redeliveryId);
  }

  /** Report up to 1,000 order events of any businesses, with one result per event. */
  public OrderEventResults reportOrderEvents(OrderEvents body) {
    return invoke("reportOrderEvents", "POST /orders/events", null, body, OrderEventResults::new);
  }

  /** Open an order at a terminal. */
  public Order openOrder(String businessId) {
    return openOrder(businessId, new OrderRequest());
  }

  /** Open an order at a terminal. */
  public Order openOrder(String businessId, OrderRequest body) {
    return invoke("openOrder", "POST /businesses/{businessId}/orders keyed", null, body, Order::new, "businessId", businessId);
  }

  /** Read an order. The link of every order event. */
  public Order getOrder(String businessId, String orderId) {
    return invoke("getOrder", "GET /businesses/{businessId}/orders/{orderId}", null, null, Order::new, "businessId", businessId, "orderId", orderId);
  }

  /** Complete, cancel or otherwise change an open order. */
  public Order updateOrder(String businessId, String orderId) {
    return updateOrder(businessId, orderId, new OrderChanges());
  }

  /** Complete, cancel or otherwise change an open order. */
  public Order updateOrder(String businessId, String orderId, OrderChanges body) {
    return invoke("updateOrder", "PATCH /businesses/{businessId}/orders/{orderId}", null, body, Order::new, "businessId", businessId, "orderId", orderId);
  }

  /** The clock of a test merchant, if it has one. */
  public TestClockList listTestClocks(String businessId) {
    return invoke("listTestClocks", "GET /test-clocks", null, null, TestClockList::new, "businessId", businessId);
  }

  /** Gives a test merchant a clock of its own. */
  public TestClock createTestClock(TestClockRequest body) {
    return invoke("createTestClock", "POST /test-clocks keyed", null, body, TestClock::new);
  }

  /** One clock: where it stands, and where it is going. */
  public TestClock getTestClock(String testClockId) {
    return invoke("getTestClock", "GET /test-clocks/{testClockId}", null, null, TestClock::new, "testClockId", testClockId);
  }

  /** Ends its live subscriptions and gives the merchant back to real time. */
  public void deleteTestClock(String testClockId) {
    invoke("deleteTestClock", "DELETE /test-clocks/{testClockId}", null, null, fields -> null, "testClockId", testClockId);
  }

  /** Moves the clock on; returns when billing, charges and recording up to then are done. */
  public TestClock advanceTestClock(String testClockId, TestClockAdvance body) {
    return invoke("advanceTestClock", "POST /test-clocks/{testClockId}/advance", null, body, TestClock::new, "testClockId", testClockId);
  }

  /** Stops the clock where it stands; an advance under way is answered with the instant reached. */
  public TestClock freezeTestClock(String testClockId) {
    return invoke("freezeTestClock", "POST /test-clocks/{testClockId}/freeze keyed", null, null, TestClock::new, "testClockId", testClockId);
  }

  /** Who changed what by request, and when: before and after, newest first. */
  public AuditList listAudit() {
    return listAudit(new ListAuditQuery());
  }

  /** Who changed what by request, and when: before and after, newest first. */
  public AuditList listAudit(ListAuditQuery query) {
    return invoke("listAudit", "GET /audit", query, null, AuditList::new);
  }

  /** The requests that an app made with its tokens in the last 7 days, newest first. */
  public ApiRequestList listAppRequests() {
    return listAppRequests(new ListAppRequestsQuery());
  }

  /** The requests that an app made with its tokens in the last 7 days, newest first. */
  public ApiRequestList listAppRequests(ListAppRequestsQuery query) {
    return invoke("listAppRequests", "GET /apps/{appId}/requests", query, null, ApiRequestList::new);
  }

  /** The name and look of pages, mails and documents. */
  public Brand getBrand() {
    return invoke("getBrand", "GET /brand", null, null, Brand::new);
  }

  /** Set the brand, maybe with its logo. An absent field loses its value; without a file the logo stays. */
  public Brand changeBrand(BrandRequest body) {
    return invoke("changeBrand", "PUT /brand", null, body, Brand::new);
  }

  /** Remove the logo. Pages show the first letter of the name. */
  public void removeLogo() {
    invoke("removeLogo", "DELETE /brand/logo", null, null, fields -> null);
  }

  /** Charges of merchants in the next days, if every charge succeeds. */
  public Upcoming listUpcomingCharges() {
    return listUpcomingCharges(new ListUpcomingChargesQuery());
  }

  /** Charges of merchants in the next days, if every charge succeeds. */
  public Upcoming listUpcomingCharges(ListUpcomingChargesQuery query) {
    return invoke("listUpcomingCharges", "GET /operations/upcoming", query, null, Upcoming::new);
  }

  /** Charges without an outcome: under way, unknown, waiting or stuck. */
  public UnsettledCharges listUnsettledCharges() {
    return listUnsettledCharges(new ListUnsettledChargesQuery());
  }

  /** Charges without an outcome: under way, unknown, waiting or stuck. */
  public UnsettledCharges listUnsettledCharges(ListUnsettledChargesQuery query) {
    return invoke("listUnsettledCharges", "GET /operations/charges", query, null, UnsettledCharges::new);
  }

  /** Refunds without an outcome: under way or stuck. */
  public UnsettledRefunds listUnsettledRefunds() {
    return listUnsettledRefunds(new ListUnsettledRefundsQuery());
  }

  /** Refunds without an outcome: under way or stuck. */
  public UnsettledRefunds listUnsettledRefunds(ListUnsettledRefundsQuery query) {
    return invoke("listUnsettledRefunds", "GET /operations/refunds", query, null, UnsettledRefunds::new);
  }

  /** Rows whose handling failed, the most often failed first: their errors and the time of the next retry. */
  public QuarantinedList listQuarantined() {
    return listQuarantined(new ListQuarantinedQuery());
  }

  /** Rows whose handling failed, the most often failed first: their errors and the time of the next retry. */
  public QuarantinedList listQuarantined(ListQuarantinedQuery query) {
    return invoke("listQuarantined", "GET /operations/quarantined", query, null, QuarantinedList::new);
  }

  /** Recurring revenue, trial conversion, churn and recovery of a month, by currency. */
  public Revenue getRevenue() {
    return getRevenue(new GetRevenueQuery());
  }

  /** Recurring revenue, trial conversion, churn and recovery of a month, by currency. */
  public Revenue getRevenue(GetRevenueQuery query) {
    return invoke("getRevenue", "GET /reports/revenue", query, null, Revenue::new);
  }

  /** MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency: the last 90 days. */
  public DailyRevenue getDailyRevenue() {
    return getDailyRevenue(new GetDailyRevenueQuery());
  }

  /** MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency: the last 90 days. */
  public DailyRevenue getDailyRevenue(GetDailyRevenueQuery query) {
    return invoke("getDailyRevenue", "GET /reports/revenue/daily", query, null, DailyRevenue::new);
  }

  /** The daily comparisons with the gateways' books, the open discrepancies, and the refunds still owed. */
  public Reconciliations listReconciliations() {
    return invoke("listReconciliations", "GET /reconciliations", null, null, Reconciliations::new);
  }

  /** Receives the signed events of a payment gateway. Each event is stored once and applied after the response. */
  public GatewayEventReceipt receiveGatewayEvent(String gateway) {
    return invoke("receiveGatewayEvent", "POST /gateways/{gateway}/events", null, null, GatewayEventReceipt::new, "gateway", gateway);
  }

  /** Runs the invariant checks: up to 20 violations of each rule, within 5 seconds per check. */
  public Checks runInvariantChecks() {
    return runInvariantChecks(new RunInvariantChecksQuery());
  }

  /** Runs the invariant checks: up to 20 violations of each rule, within 5 seconds per check. */
  public Checks runInvariantChecks(RunInvariantChecksQuery query) {
    return invoke("runInvariantChecks", "GET /operations/checks", query, null, Checks::new);
  }

  /** Read a person who signs in. */
  public User getUser(String userId) {
    return invoke("getUser", "GET /users/{userId}", null, null, User::new, "userId", userId);
  }

  /** Disable a person, which ends what they are signed in to, or enable them again. */
  public User changeUser(String userId, UserChange body) {
    return invoke("changeUser", "PATCH /users/{userId}", null, body, User::new, "userId", userId);
  }

  /** Who signs in for a business, an organization or the operator. */
  public People listPeople(String kind) {
    return listPeople(kind, new ListPeopleQuery());
  }

  /** Who signs in for a business, an organization or the operator. */
  public People listPeople(String kind, ListPeopleQuery query) {
    return invoke("listPeople", "GET /memberships", query, null, People::new, "kind", kind);
  }

  /** Accept an invitation, with a new account or the one that its address has. */
  public Membership acceptInvitation(Acceptance body) {
    return invoke("acceptInvitation", "POST /memberships keyed", null, body, Membership::new);
  }

  /** Give a person another role. */
  public Person changeRole(String membershipId, RoleChange body) {
    return invoke("changeRole", "PATCH /memberships/{membershipId}", null, body, Person::new, "membershipId", membershipId);
  }

  /** Take a person out. */
  public void removePerson(String membershipId) {
    invoke("removePerson", "DELETE /memberships/{membershipId}", null, null, fields -> null, "membershipId", membershipId);
  }

  /** Who was invited, the newest first. */
  public InvitationList listInvitations(String kind) {
    return listInvitations(kind, new ListInvitationsQuery());
  }

  /** Who was invited, the newest first. */
  public InvitationList listInvitations(String kind, ListInvitationsQuery query) {
    return invoke("listInvitations", "GET /invitations", query, null, InvitationList::new, "kind", kind);
  }

  /** Invite a person by a link that is sent to them. */
  public Invitation invite(InvitationRequest body) {
    return invoke("invite", "POST /invitations keyed", null, body, Invitation::new);
  }

  /** Revoke an invitation. */
  public void revokeInvitation(String invitationId) {
    invoke("revokeInvitation", "DELETE /invitations/{invitationId}", null, null, fields -> null, "invitationId", invitationId);
  }

  /** Where I am signed in. */
  public SessionList listSessions() {
    return invoke("listSessions", "GET /sessions", null, null, SessionList::new);
  }

  /** Sign in: the token is the bearer of the calls that follow. */
  public OpenedSession signIn(SignIn body) {
    return invoke("signIn", "POST /sessions", null, body, OpenedSession::new);
  }

  /** Who I am here, and what else I may be. */
  public CurrentSession getCurrentSession() {
    return invoke("getCurrentSession", "GET /sessions/current", null, null, CurrentSession::new);
  }

  /** Go on as another of the things that I may be. */
  public CurrentSession chooseMembership(MembershipChoice body) {
    return invoke("chooseMembership", "PATCH /sessions/current", null, body, CurrentSession::new);
  }

  /** Sign out. */
  public void signOut() {
    invoke("signOut", "DELETE /sessions/current", null, null, fields -> null);
  }

  /** End one of my sessions. */
  public void endSession(String sessionId) {
    invoke("endSession", "DELETE /sessions/{sessionId}", null, null, fields -> null, "sessionId", sessionId);
  }

  /** Start a login that a person approves in the browser (RFC 8628). */
  public DeviceLogin startDeviceLogin() {
    return invoke("startDeviceLogin", "POST /device-logins", null, null, DeviceLogin::new);
  }

  /** Poll for the session of an approved login (RFC 8628). */
  public OpenedSession pollDeviceLogin(DevicePoll body) {
    return invoke("pollDeviceLogin", "POST /device-logins/token", null, body, OpenedSession::new);
  }

  /** Read my account. */
  public Account getAccount() {
    return invoke("getAccount", "GET /users/current", null, null, Account::new);
  }

  /** Change my name. */
  public Account changeAccount(AccountChange body) {
    return invoke("changeAccount", "PATCH /users/current", null, body, Account::new);
  }

  /** Change my password: my other sessions end. */
  public void changePassword(PasswordChange body) {
    invoke("changePassword", "POST /users/current/password keyed", null, body, fields -> null);
  }

  /** Make a secret for an authenticator app. */
  public SecondFactor setUpSecondFactor(SecondFactorRequest body) {
    return invoke("setUpSecondFactor", "POST /users/current/second-factor keyed", null, body, SecondFactor::new);
  }

  /** Confirm it by a first code: from now on signing in asks for one. */
  public RecoveryCodes confirmSecondFactor(SecondFactorConfirmation body) {
    return invoke("confirmSecondFactor", "POST /users/current/second-factor/confirm keyed", null, body, RecoveryCodes::new);
  }

  /** Make new recovery codes in place of the old ones. */
  public RecoveryCodes renewRecoveryCodes(Confirmation body) {
    return invoke("renewRecoveryCodes", "POST /users/current/second-factor/recovery-codes keyed", null, body, RecoveryCodes::new);
  }

  /** Remove my second factor, as for another phone. */
  public void removeSecondFactor(Confirmation body) {
    invoke("removeSecondFactor", "POST /users/current/second-factor/remove keyed", null, body, fields -> null);
  }

  /** Send a link for a new password to a mailbox, if somebody has it for an address. */
  public void requestPasswordReset(PasswordResetRequest body) {
    invoke("requestPasswordReset", "POST /password-resets keyed", null, body, fields -> null);
  }

  /** Set a new password by such a link: every session ends. */
  public void completePasswordReset(PasswordResetCompletion body) {
    invoke("completePasswordReset", "POST /password-resets/complete keyed", null, body, fields -> null);
  }

  /** List who signs in on the terminals of a business. */
  public BusinessUserList listBusinessUsers(String businessId) {
    return invoke("listBusinessUsers", "GET /businesses/{businessId}/users", null, null, BusinessUserList::new, "businessId", businessId);
  }

  /** Let somebody sign in on the terminals of a business. */
  public BusinessUser createBusinessUser(String businessId, BusinessUserRequest body) {
    return invoke("createBusinessUser", "POST /businesses/{businessId}/users keyed", null, body, BusinessUser::new, "businessId", businessId);
  }

  /** Change a user of terminals; another passcode, or DISABLED, ends their sessions. */
  public BusinessUser updateBusinessUser(String businessId, String businessUserId) {
    return updateBusinessUser(businessId, businessUserId, new BusinessUserChanges());
  }

  /** Change a user of terminals; another passcode, or DISABLED, ends their sessions. */
  public BusinessUser updateBusinessUser(String businessId, String businessUserId, BusinessUserChanges body) {
    return invoke("updateBusinessUser", "PATCH /businesses/{businessId}/users/{businessUserId}", null, body, BusinessUser::new, "businessId", businessId, "businessUserId", businessUserId);
  }

  /** Remove a user of terminals, with their sessions. */
  public void removeBusinessUser(String businessId, String businessUserId) {
    invoke("removeBusinessUser", "DELETE /businesses/{businessId}/users/{businessUserId}", null, null, fields -> null, "businessId", businessId, "businessUserId", businessUserId);
  }

  /** Activate a terminal: its code for a key of its own. */
  public ActivatedDevice activateDevice(Activation body) {
    return invoke("activateDevice", "POST /devices/activate keyed", null, body, ActivatedDevice::new);
  }

  /** Close a terminal for good: its key, its tokens and who is signed in on it end; its subscriptions go on. */
  public void closeDevice(String businessId, String deviceId) {
    invoke("closeDevice", "DELETE /businesses/{businessId}/devices/{deviceId}", null, null, fields -> null, "businessId", businessId, "deviceId", deviceId);
  }

  /** Close a store for good, with its terminals; not while a subscription is for it alone and not cancelled. */
  public void closeStore(String businessId, String storeId) {
    invoke("closeStore", "DELETE /businesses/{businessId}/stores/{storeId}", null, null, fields -> null, "businessId", businessId, "storeId", storeId);
  }

  /** An app as a terminal shows it among others: its name, who makes it, its picture. */
  public AppAtTerminal getAppAtTerminal(String packageName) {
    return invoke("getAppAtTerminal", "GET /terminal/apps/{packageName}", null, null, AppAtTerminal::new, "packageName", packageName);
  }

  /** Report that an app is installed or was updated on this terminal; its calls are answered from then on. */
  public InstalledApp reportInstalledApp(String packageName, InstalledAppReport body) {
    return invoke("reportInstalledApp", "PUT /terminal/apps/{packageName}", null, body, InstalledApp::new, "packageName", packageName);
  }

  /** Report that an app was removed from this terminal, or never was on it. */
  public void reportRemovedApp(String packageName) {
    invoke("reportRemovedApp", "DELETE /terminal/apps/{packageName}", null, null, fields -> null, "packageName", packageName);
  }

  /** The subscriptions of this merchant to an app, as this terminal sees them. */
  public SubscriptionPage listSubscriptionsAtTerminal(String packageName) {
    return listSubscriptionsAtTerminal(packageName, new ListSubscriptionsAtTerminalQuery());
  }

  /** The subscriptions of this merchant to an app, as this terminal sees them. */
  public SubscriptionPage listSubscriptionsAtTerminal(String packageName, ListSubscriptionsAtTerminalQuery query) {
    return invoke("listSubscriptionsAtTerminal", "GET /terminal/apps/{packageName}/subscriptions", query, null, SubscriptionPage::new, "packageName", packageName);
  }

  /** Sign the active subscriptions of this merchant to an app, for this terminal to keep through an outage. */
  public SignedSubscriptions signSubscriptionsAtTerminal(String packageName) {
    return invoke("signSubscriptionsAtTerminal", "GET /terminal/apps/{packageName}/subscriptions/signed", null, null, SignedSubscriptions::new, "packageName", packageName);
  }

  /** The plans of an app, with the prices of this merchant. */
  public PlanPage listPlansAtTerminal(String packageName) {
    return listPlansAtTerminal(packageName, new ListPlansAtTerminalQuery());
  }

  /** The plans of an app, with the prices of this merchant. */
  public PlanPage listPlansAtTerminal(String packageName, ListPlansAtTerminalQuery query) {
    return invoke("listPlansAtTerminal", "GET /terminal/apps/{packageName}/plans", query, null, PlanPage::new, "packageName", packageName);
  }

  /** A token for who is signed in, issued to an app; good for an hour. */
  public UserToken issueUserToken(String packageName) {
    return invoke("issueUserToken", "POST /terminal/apps/{packageName}/token", null, null, UserToken::new, "packageName", packageName);
  }

  /** Open a purchase for whoever is signed in: the address of its screen. */
  public Purchase openPurchaseAtTerminal(String packageName) {
    return openPurchaseAtTerminal(packageName, new PurchaseRequest());
  }

  /** Open a purchase for whoever is signed in: the address of its screen. */
  public Purchase openPurchaseAtTerminal(String packageName, PurchaseRequest body) {
    return invoke("openPurchaseAtTerminal", "POST /terminal/apps/{packageName}/purchases keyed", null, body, Purchase::new, "packageName", packageName);
  }

  /** What became of a purchase that this terminal opened. */
  public Purchase getPurchaseAtTerminal(String purchaseId) {
    return invoke("getPurchaseAtTerminal", "GET /terminal/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** Cancel a purchase that this terminal opened. */
  public Purchase cancelPurchaseAtTerminal(String purchaseId) {
    return invoke("cancelPurchaseAtTerminal", "DELETE /terminal/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** Approve permissions of an installed app for the merchant, by the manager who is signed in. */
  public InstalledApp approvePermissionsAtTerminal(String packageName, PermissionsApproval body) {
    return invoke("approvePermissionsAtTerminal", "POST /terminal/apps/{packageName}/approval keyed", null, body, InstalledApp::new, "packageName", packageName);
  }

  /** List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed. */
  public TerminalList searchTerminals() {
    return searchTerminals(new SearchTerminalsQuery());
  }

  /** List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed. */
  public TerminalList searchTerminals(SearchTerminalsQuery query) {
    return invoke("searchTerminals", "GET /terminals", query, null, TerminalList::new);
  }

  /** Sign in on this terminal; it ends after 15 idle minutes. */
  public TerminalSession signInAtTerminal(TerminalSignIn body) {
    return invoke("signInAtTerminal", "POST /terminal/sessions", null, body, TerminalSession::new);
  }

  /** Sign out of this terminal, whoever is signed in; nobody may be. */
  public void signOutAtTerminal() {
    invoke("signOutAtTerminal", "DELETE /terminal/sessions/current", null, null, fields -> null);
  }

  /** Does the process serve? What waits, and what stands aside?. */
  public Health getHealth() {
    return invoke("getHealth", "GET /healthz", null, null, Health::new);
  }

  /** May traffic be sent here?. */
  public Readiness getReadiness() {
    return invoke("getReadiness", "GET /readyz", null, null, Readiness::new);
  }

  /** This document, as OpenAPI 3.1. */
  public JsonObject getOpenApi() {
    return invoke("getOpenApi", "GET /openapi.json", null, null, JsonObject::new);
  }
}
