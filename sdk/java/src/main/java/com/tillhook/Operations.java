// Generated from contract/openapi.json by `npm run print`.
package com.tillhook;

import com.tillhook.model.*;
import java.util.Map;
import java.util.function.Function;

/** One method for each JSON operation of the contract. */
abstract class Operations {
  /** Carries an operation out. `params` holds names and values in turn; a value of null is absent. */
  abstract <T> T invoke(String name, String route, Query query, Model body, Function<Map<String, ?>, T> read, Object... params);

  /** Revoke a key of an app and its tokens. */
  public void revokeAppKey(String kid) {
    invoke("revokeAppKey", "DELETE /apps/{appId}/keys/{kid}", null, null, fields -> null, "kid", kid);
  }

  /** Rotate the signing key of access tokens: the new key is published at once and signs ten minutes later. */
  public SigningKey rotateSigningKey() {
    return invoke("rotateSigningKey", "POST /signing-keys/rotate", null, null, SigningKey::new);
  }

  /** Get the public keys of access tokens. */
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

  /** Create a developer organization. */
  public Organization createOrganization(OrganizationRequest body) {
    return invoke("createOrganization", "POST /organizations keyed", null, body, Organization::new);
  }

  /** Get an organization. */
  public Organization getOrganization(String organizationId) {
    return invoke("getOrganization", "GET /organizations/{organizationId}", null, null, Organization::new, "organizationId", organizationId);
  }

  /** Change the name or e-mail of an organization. Issued invoices keep the old values. */
  public Organization updateOrganization(String organizationId) {
    return updateOrganization(organizationId, new OrganizationChanges());
  }

  /** Change the name or e-mail of an organization. Issued invoices keep the old values. */
  public Organization updateOrganization(String organizationId, OrganizationChanges body) {
    return invoke("updateOrganization", "PATCH /organizations/{organizationId}", null, body, Organization::new, "organizationId", organizationId);
  }

  /** Get the seller data of an organization for new invoices. */
  public Seller getSeller(String organizationId) {
    return invoke("getSeller", "GET /organizations/{organizationId}/seller", null, null, Seller::new, "organizationId", organizationId);
  }

  /** Set the seller data of an organization for new invoices. */
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

  /** Create an app, optionally with an icon. */
  public App createApp(AppRequest body) {
    return invoke("createApp", "POST /apps keyed", null, body, App::new);
  }

  /** Get an app. */
  public App getApp() {
    return invoke("getApp", "GET /apps/{appId}", null, null, App::new);
  }

  /** Update an app or its icon, or disable or enable the app. */
  public App updateApp() {
    return updateApp(new AppChanges());
  }

  /** Update an app or its icon, or disable or enable the app. */
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

  /** Remove the icon of an app. */
  public void removeAppIcon() {
    invoke("removeAppIcon", "DELETE /apps/{appId}/icon", null, null, fields -> null);
  }

  /** List the releases of an app, without plans. */
  public ReleasePage listReleases() {
    return listReleases(new ListReleasesQuery());
  }

  /** List the releases of an app, without plans. */
  public ReleasePage listReleases(ListReleasesQuery query) {
    return invoke("listReleases", "GET /apps/{appId}/releases", query, null, ReleasePage::new);
  }

  /** Submit a release of an app for review, with plans and optionally a package. */
  public Release submitRelease(ReleaseRequest body) {
    return invoke("submitRelease", "POST /apps/{appId}/releases keyed", null, body, Release::new);
  }

  /** List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review. */
  public ReleaseList listAllReleases() {
    return listAllReleases(new ListAllReleasesQuery());
  }

  /** List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review. */
  public ReleaseList listAllReleases(ListAllReleasesQuery query) {
    return invoke("listAllReleases", "GET /releases", query, null, ReleaseList::new);
  }

  /** Get a release with its plans. */
  public Release getRelease(String releaseId) {
    return invoke("getRelease", "GET /apps/{appId}/releases/{releaseId}", null, null, Release::new, "releaseId", releaseId);
  }

  /** Approve a release and activate its plans. */
  public Release approveRelease(String releaseId) {
    return invoke("approveRelease", "POST /apps/{appId}/releases/{releaseId}/approve keyed", null, null, Release::new, "releaseId", releaseId);
  }

  /** Reject a release with a reason. */
  public Release rejectRelease(String releaseId, Rejection body) {
    return invoke("rejectRelease", "POST /apps/{appId}/releases/{releaseId}/reject keyed", null, body, Release::new, "releaseId", releaseId);
  }

  /** Withdraw a release from review and delete its package. */
  public Release withdrawRelease(String releaseId) {
    return invoke("withdrawRelease", "POST /apps/{appId}/releases/{releaseId}/withdraw keyed", null, null, Release::new, "releaseId", releaseId);
  }

  /** Ask the developer about a release in review, or answer the operator's question. */
  public Release writeReleaseMessage(String releaseId, ReleaseMessageRequest body) {
    return invoke("writeReleaseMessage", "POST /apps/{appId}/releases/{releaseId}/messages keyed", null, body, Release::new, "releaseId", releaseId);
  }

  /** List the plans of an app. */
  public PlanPage listPlans() {
    return listPlans(new ListPlansQuery());
  }

  /** List the plans of an app. */
  public PlanPage listPlans(ListPlansQuery query) {
    return invoke("listPlans", "GET /apps/{appId}/plans", query, null, PlanPage::new);
  }

  /** Retire a plan: it accepts no new subscribers. */
  public Plan retirePlan(String planId) {
    return invoke("retirePlan", "POST /apps/{appId}/plans/{planId}/retire keyed", null, null, Plan::new, "planId", planId);
  }

  /** List businesses by name, e-mail or id, newest first, without stores. */
  public BusinessList searchBusinesses() {
    return searchBusinesses(new SearchBusinessesQuery());
  }

  /** List businesses by name, e-mail or id, newest first, without stores. */
  public BusinessList searchBusinesses(SearchBusinessesQuery query) {
    return invoke("searchBusinesses", "GET /businesses/search", query, null, BusinessList::new);
  }

  /** Find the business of a terminal. */
  public Business findBusiness(String storeDeviceId) {
    return invoke("findBusiness", "GET /businesses", null, null, Business::new, "storeDeviceId", storeDeviceId);
  }

  /** Create a merchant or a test merchant. */
  public Business createBusiness(BusinessRequest body) {
    return invoke("createBusiness", "POST /businesses keyed", null, body, Business::new);
  }

  /** Get a business with its stores and devices. */
  public Business getBusiness(String businessId) {
    return invoke("getBusiness", "GET /businesses/{businessId}", null, null, Business::new, "businessId", businessId);
  }

  /** Update a business. */
  public Business updateBusiness(String businessId) {
    return updateBusiness(businessId, new BusinessChanges());
  }

  /** Update a business. */
  public Business updateBusiness(String businessId, BusinessChanges body) {
    return invoke("updateBusiness", "PATCH /businesses/{businessId}", null, body, Business::new, "businessId", businessId);
  }

  /** Create a store. */
  public Store addStore(String businessId, StoreRequest body) {
    return invoke("addStore", "POST /businesses/{businessId}/stores keyed", null, body, Store::new, "businessId", businessId);
  }

  /** Create a terminal and get its activation code. */
  public Device addDevice(String businessId, String storeId, DeviceRequest body) {
    return invoke("addDevice", "POST /businesses/{businessId}/stores/{storeId}/devices keyed", null, body, Device::new, "businessId", businessId, "storeId", storeId);
  }

  /** Create a new activation code for a terminal. */
  public ActivationCode renewActivationCode(String businessId, String deviceId) {
    return invoke("renewActivationCode", "POST /businesses/{businessId}/devices/{deviceId}/activation-code keyed", null, null, ActivationCode::new, "businessId", businessId, "deviceId", deviceId);
  }

  /** List the apps that a business has approved. */
  public ApprovalList listApprovals(String businessId) {
    return invoke("listApprovals", "GET /businesses/{businessId}/approvals", null, null, ApprovalList::new, "businessId", businessId);
  }

  /** Approve an app, or change its approved rights. */
  public Approval approveApp(String businessId, ApprovalRequest body) {
    return invoke("approveApp", "POST /businesses/{businessId}/approvals keyed", null, body, Approval::new, "businessId", businessId);
  }

  /** List the subscriptions of an app: active ones of all merchants, unless filtered. */
  public SubscriptionPage listSubscriptions() {
    return listSubscriptions(new ListSubscriptionsQuery());
  }

  /** List the subscriptions of an app: active ones of all merchants, unless filtered. */
  public SubscriptionPage listSubscriptions(ListSubscriptionsQuery query) {
    return invoke("listSubscriptions", "GET /apps/{appId}/subscriptions", query, null, SubscriptionPage::new);
  }

  /** Subscribe a merchant to a plan. The response waits up to 5 s for the first payment; without an outcome the subscription is PENDING (202). Without the right SUBSCRIBE the merchant must confirm a purchase (202). */
  public SubscriptionOrPurchase subscribe(SubscriptionRequest body) {
    return invoke("subscribe", "POST /apps/{appId}/subscriptions keyed", null, body, SubscriptionOrPurchase::new);
  }

  /** Get a subscription. Every billing event links here. */
  public Subscription getSubscription(String subscriptionId) {
    return invoke("getSubscription", "GET /apps/{appId}/subscriptions/{subscriptionId}", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202). */
  public SubscriptionOrPurchase changeSubscription(String subscriptionId) {
    return changeSubscription(subscriptionId, new SubscriptionChange());
  }

  /** Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202). */
  public SubscriptionOrPurchase changeSubscription(String subscriptionId, SubscriptionChange body) {
    return invoke("changeSubscription", "PATCH /apps/{appId}/subscriptions/{subscriptionId}", null, body, SubscriptionOrPurchase::new, "subscriptionId", subscriptionId);
  }

  /** Cancel a subscription, at once or at the end of the paid period, as the plan defines. */
  public Subscription cancelSubscription(String subscriptionId) {
    return invoke("cancelSubscription", "DELETE /apps/{appId}/subscriptions/{subscriptionId}", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** Undo a scheduled cancellation. Without the right SUBSCRIBE the merchant must confirm (202). */
  public SubscriptionOrPurchase restoreSubscription(String subscriptionId) {
    return invoke("restoreSubscription", "POST /apps/{appId}/subscriptions/{subscriptionId}/restore keyed", null, null, SubscriptionOrPurchase::new, "subscriptionId", subscriptionId);
  }

  /** End a subscription now, as the operator. */
  public Subscription endSubscription(String subscriptionId) {
    return invoke("endSubscription", "POST /apps/{appId}/subscriptions/{subscriptionId}/end keyed", null, null, Subscription::new, "subscriptionId", subscriptionId);
  }

  /** Preview a plan change: the lines of its invoice and the credit. Nothing is stored. */
  public PlanChangePreview previewPlanChange(String subscriptionId, PlanChange body) {
    return invoke("previewPlanChange", "POST /apps/{appId}/subscriptions/{subscriptionId}/preview", null, body, PlanChangePreview::new, "subscriptionId", subscriptionId);
  }

  /** Get a purchase and its outcome. */
  public Purchase getPurchase(String purchaseId) {
    return invoke("getPurchase", "GET /apps/{appId}/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions. */
  public InvoicePage listInvoices(String businessId) {
    return listInvoices(businessId, new ListInvoicesQuery());
  }

  /** List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions. */
  public InvoicePage listInvoices(String businessId, ListInvoicesQuery query) {
    return invoke("listInvoices", "GET /businesses/{businessId}/invoices", query, null, InvoicePage::new, "businessId", businessId);
  }

  /** Get an invoice. Payment and refund events link here. */
  public Invoice getInvoice(String businessId, String invoiceId) {
    return invoke("getInvoice", "GET /businesses/{businessId}/invoices/{invoiceId}", null, null, Invoice::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** List the subscriptions of all visible apps, newest first. */
  public SubscriptionList searchSubscriptions() {
    return searchSubscriptions(new SearchSubscriptionsQuery());
  }

  /** List the subscriptions of all visible apps, newest first. */
  public SubscriptionList searchSubscriptions(SearchSubscriptionsQuery query) {
    return invoke("searchSubscriptions", "GET /subscriptions/search", query, null, SubscriptionList::new);
  }

  /** List the invoices of all visible apps, newest first, without lines and attempts. */
  public InvoiceList searchInvoices() {
    return searchInvoices(new SearchInvoicesQuery());
  }

  /** List the invoices of all visible apps, newest first, without lines and attempts. */
  public InvoiceList searchInvoices(SearchInvoicesQuery query) {
    return invoke("searchInvoices", "GET /invoices", query, null, InvoiceList::new);
  }

  /** List the charges of all visible apps, newest first. */
  public ChargeList searchCharges() {
    return searchCharges(new SearchChargesQuery());
  }

  /** List the charges of all visible apps, newest first. */
  public ChargeList searchCharges(SearchChargesQuery query) {
    return invoke("searchCharges", "GET /charges", query, null, ChargeList::new);
  }

  /** List the disputes of all visible apps, newest first. */
  public DisputeList searchDisputes() {
    return searchDisputes(new SearchDisputesQuery());
  }

  /** List the disputes of all visible apps, newest first. */
  public DisputeList searchDisputes(SearchDisputesQuery query) {
    return invoke("searchDisputes", "GET /disputes", query, null, DisputeList::new);
  }

  /** Get a dispute with its deadline and the evidence that was sent. */
  public AnsweredDispute getDispute(String disputeId) {
    return invoke("getDispute", "GET /disputes/{disputeId}", null, null, AnsweredDispute::new, "disputeId", disputeId);
  }

  /** Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later. */
  public AnsweredDispute sendEvidence(String disputeId) {
    return sendEvidence(disputeId, new EvidenceRequest());
  }

  /** Send evidence to the payer's bank. Evidence can be sent once, and the bank decides weeks later. */
  public AnsweredDispute sendEvidence(String disputeId, EvidenceRequest body) {
    return invoke("sendEvidence", "POST /disputes/{disputeId}/evidence keyed", null, body, AnsweredDispute::new, "disputeId", disputeId);
  }

  /** Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund. */
  public Refund refundInvoice(String businessId, String invoiceId) {
    return refundInvoice(businessId, invoiceId, new RefundRequest());
  }

  /** Refund an invoice, completely or in part. REFUND_SUCCESS follows when the gateway confirms the refund. */
  public Refund refundInvoice(String businessId, String invoiceId, RefundRequest body) {
    return invoke("refundInvoice", "POST /businesses/{businessId}/invoices/{invoiceId}/refunds keyed", null, body, Refund::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** Open or decide a dispute of a test merchant's payment. */
  public Dispute disputeInvoice(String businessId, String invoiceId, DisputeRequest body) {
    return invoke("disputeInvoice", "PUT /businesses/{businessId}/invoices/{invoiceId}/test-dispute", null, body, Dispute::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** Charge an open invoice now. The outcome is in the invoice and in an event. */
  public Invoice payInvoice(String businessId, String invoiceId) {
    return payInvoice(businessId, invoiceId, new PayInvoiceRequest());
  }

  /** Charge an open invoice now. The outcome is in the invoice and in an event. */
  public Invoice payInvoice(String businessId, String invoiceId, PayInvoiceRequest body) {
    return invoke("payInvoice", "POST /businesses/{businessId}/invoices/{invoiceId}/pay keyed", null, body, Invoice::new, "businessId", businessId, "invoiceId", invoiceId);
  }

  /** List the payment methods of a merchant, the default first. */
  public PaymentMethodList listPaymentMethods(String businessId) {
    return listPaymentMethods(businessId, new ListPaymentMethodsQuery());
  }

  /** List the payment methods of a merchant, the default first. */
  public PaymentMethodList listPaymentMethods(String businessId, ListPaymentMethodsQuery query) {
    return invoke("listPaymentMethods", "GET /businesses/{businessId}/payment-methods", query, null, PaymentMethodList::new, "businessId", businessId);
  }

  /** Save a payment method as the default, and charge past-due invoices. */
  public PaymentMethod addPaymentMethod(String businessId, PaymentMethodRequest body) {
    return invoke("addPaymentMethod", "POST /businesses/{businessId}/payment-methods keyed", null, body, PaymentMethod::new, "businessId", businessId);
  }

  /** Begin saving a card with the gateway's own page element, so that Tillhook sees no card number. */
  public PaymentMethodSetup beginPaymentMethod(String businessId, PaymentMethodSetupRequest body) {
    return invoke("beginPaymentMethod", "POST /businesses/{businessId}/payment-methods/setup keyed", null, body, PaymentMethodSetup::new, "businessId", businessId);
  }

  /** Make a payment method the default, and charge past-due invoices with it. */
  public PaymentMethod setDefaultPaymentMethod(String businessId, String paymentMethodId) {
    return invoke("setDefaultPaymentMethod", "PUT /businesses/{businessId}/payment-methods/{paymentMethodId}/default", null, null, PaymentMethod::new, "businessId", businessId, "paymentMethodId", paymentMethodId);
  }

  /** Remove a payment method. The default of a live paid subscription cannot be removed. */
  public void removePaymentMethod(String businessId, String paymentMethodId) {
    invoke("removePaymentMethod", "DELETE /businesses/{businessId}/payment-methods/{paymentMethodId}", null, null, fields -> null, "businessId", businessId, "paymentMethodId", paymentMethodId);
  }

  /** End all subscriptions of a disabled app, in the background. */
  public AppEnding endAppSubscriptions(AppEndingRequest body) {
    return invoke("endAppSubscriptions", "POST /apps/{appId}/endings keyed", null, body, AppEnding::new);
  }

  /** Get the progress of ending all subscriptions of an app. */
  public AppEnding getAppEnding(String endingId) {
    return invoke("getAppEnding", "GET /apps/{appId}/endings/{endingId}", null, null, AppEnding::new, "endingId", endingId);
  }

  /** Get the last billing outage of more than a day, and its missed charges. */
  public CatchUpReport getCatchUp() {
    return invoke("getCatchUp", "GET /operations/catch-up", null, null, CatchUpReport::new);
  }

  /** Decide about the missed charges of an outage: charge now, spread over days, or waive. */
  public CatchUp decideCatchUp(CatchUpDecision body) {
    return invoke("decideCatchUp", "POST /operations/catch-up keyed", null, body, CatchUp::new);
  }

  /** Get the balance of a developer in each currency. */
  public OrganizationBalance getOrganizationBalance(String organizationId) {
    return invoke("getOrganizationBalance", "GET /organizations/{organizationId}/balance", null, null, OrganizationBalance::new, "organizationId", organizationId);
  }

  /** List the months with bookings, newest first. */
  public StatementList listStatements(String organizationId) {
    return listStatements(organizationId, new ListStatementsQuery());
  }

  /** List the months with bookings, newest first. */
  public StatementList listStatements(String organizationId, ListStatementsQuery query) {
    return invoke("listStatements", "GET /organizations/{organizationId}/statements", query, null, StatementList::new, "organizationId", organizationId);
  }

  /** Get the statement of a month: bookings by plan, and the balance before and after. */
  public Statement getStatement(String organizationId, String month) {
    return getStatement(organizationId, month, new GetStatementQuery());
  }

  /** Get the statement of a month: bookings by plan, and the balance before and after. */
  public Statement getStatement(String organizationId, String month, GetStatementQuery query) {
    return invoke("getStatement", "GET /organizations/{organizationId}/statements/{month}", query, null, Statement::new, "organizationId", organizationId, "month", month);
  }

  /** Get the payments and the credit of a merchant. A developer sees only its own apps. */
  public BusinessBalance getBusinessBalance(String businessId) {
    return invoke("getBusinessBalance", "GET /businesses/{businessId}/balance", null, null, BusinessBalance::new, "businessId", businessId);
  }

  /** Get the operator's share, gateway fees and debts to developers, in each currency. */
  public OperatorBalance getOperatorBalance() {
    return invoke("getOperatorBalance", "GET /operator/balance", null, null, OperatorBalance::new);
  }

  /** Get the collected and returned tax of a month by country and rate. */
  public TaxReport getTaxReport(String month) {
    return getTaxReport(month, new GetTaxReportQuery());
  }

  /** Get the collected and returned tax of a month by country and rate. */
  public TaxReport getTaxReport(String month, GetTaxReportQuery query) {
    return invoke("getTaxReport", "GET /reports/tax/{month}", query, null, TaxReport::new, "month", month);
  }

  /** List payouts, fees and adjustments of a developer, newest first. */
  public OrganizationBookingList listPayouts(String organizationId) {
    return listPayouts(organizationId, new ListPayoutsQuery());
  }

  /** List payouts, fees and adjustments of a developer, newest first. */
  public OrganizationBookingList listPayouts(String organizationId, ListPayoutsQuery query) {
    return invoke("listPayouts", "GET /organizations/{organizationId}/payouts", query, null, OrganizationBookingList::new, "organizationId", organizationId);
  }

  /** Book a payout to a developer, up to the owed amount. */
  public OrganizationBooking bookPayout(String organizationId, PayoutRequest body) {
    return invoke("bookPayout", "POST /organizations/{organizationId}/payouts keyed", null, body, OrganizationBooking::new, "organizationId", organizationId);
  }

  /** Book a gateway fee that the developer bears, or an adjustment of the developer's balance. */
  public OrganizationBooking bookAdjustment(String organizationId, AdjustmentRequest body) {
    return invoke("bookAdjustment", "POST /organizations/{organizationId}/adjustments keyed", null, body, OrganizationBooking::new, "organizationId", organizationId);
  }

  /** Get the payout account of a developer. */
  public PayoutAccount getPayoutAccount(String organizationId) {
    return invoke("getPayoutAccount", "GET /organizations/{organizationId}/payout-account", null, null, PayoutAccount::new, "organizationId", organizationId);
  }

  /** Open the payout account of a developer, or get a new link to complete the account. */
  public OpenedPayoutAccount openPayoutAccount(String organizationId) {
    return invoke("openPayoutAccount", "POST /organizations/{organizationId}/payout-account keyed", null, null, OpenedPayoutAccount::new, "organizationId", organizationId);
  }

  /** List the transfers to the payout account of a developer, newest first. */
  public PayoutTransferList listTransfers(String organizationId) {
    return listTransfers(organizationId, new ListTransfersQuery());
  }

  /** List the transfers to the payout account of a developer, newest first. */
  public PayoutTransferList listTransfers(String organizationId, ListTransfersQuery query) {
    return invoke("listTransfers", "GET /organizations/{organizationId}/transfers", query, null, PayoutTransferList::new, "organizationId", organizationId);
  }

  /** Transfer the closing balance of a statement to the payout account, up to the amount owed now. */
  public PayoutTransfer orderTransfer(String organizationId, PayoutTransferRequest body) {
    return invoke("orderTransfer", "POST /organizations/{organizationId}/transfers keyed", null, body, PayoutTransfer::new, "organizationId", organizationId);
  }

  /** Get the source of an organization's tax rates, and the rates by country and date. */
  public TaxSettings getTaxSettings(String organizationId) {
    return invoke("getTaxSettings", "GET /organizations/{organizationId}/tax", null, null, TaxSettings::new, "organizationId", organizationId);
  }

  /** Choose the tax rates for new invoices of an organization. */
  public TaxSettings chooseTaxSource(String organizationId, TaxSettingsRequest body) {
    return invoke("chooseTaxSource", "PUT /organizations/{organizationId}/tax", null, body, TaxSettings::new, "organizationId", organizationId);
  }

  /** Set a tax rate of an organization from a date on. The rate applies if the source is OWN. */
  public TaxRate setTaxRate(String organizationId, String country, String validFrom, TaxRateRequest body) {
    return invoke("setTaxRate", "PUT /organizations/{organizationId}/tax-rates/{country}/{validFrom}", null, body, TaxRate::new, "organizationId", organizationId, "country", country, "validFrom", validFrom);
  }

  /** Remove a tax rate of an organization. */
  public void removeTaxRate(String organizationId, String country, String validFrom) {
    invoke("removeTaxRate", "DELETE /organizations/{organizationId}/tax-rates/{country}/{validFrom}", null, null, fields -> null, "organizationId", organizationId, "country", country, "validFrom", validFrom);
  }

  /** List the operator's tax rates by country, latest date first. */
  public TaxRateList listOperatorTaxRates() {
    return invoke("listOperatorTaxRates", "GET /tax-rates", null, null, TaxRateList::new);
  }

  /** Set a tax rate of the operator from a date on. */
  public TaxRate setOperatorTaxRate(String country, String validFrom, OperatorTaxRateRequest body) {
    return invoke("setOperatorTaxRate", "PUT /tax-rates/{country}/{validFrom}", null, body, TaxRate::new, "country", country, "validFrom", validFrom);
  }

  /** Remove a tax rate of the operator. */
  public void removeOperatorTaxRate(String country, String validFrom) {
    invoke("removeOperatorTaxRate", "DELETE /tax-rates/{country}/{validFrom}", null, null, fields -> null, "country", country, "validFrom", validFrom);
  }

  /** List hooks in order of creation. */
  public HookList listHooks() {
    return listHooks(new ListHooksQuery());
  }

  /** List hooks in order of creation. */
  public HookList listHooks(ListHooksQuery query) {
    return invoke("listHooks", "GET /hooks", query, null, HookList::new);
  }

  /** Register a hook. A repeated registration returns the existing hook with the new secret. */
  public Hook registerHook(HookRequest body) {
    return invoke("registerHook", "POST /hooks", null, body, Hook::new);
  }

  /** Get a hook. */
  public Hook getHook(String hookId) {
    return invoke("getHook", "GET /hooks/{hookId}", null, null, Hook::new, "hookId", hookId);
  }

  /** Update a hook. Absent fields stay unchanged. */
  public ChangedHook updateHook(String hookId) {
    return updateHook(hookId, new HookChanges());
  }

  /** Update a hook. Absent fields stay unchanged. */
  public ChangedHook updateHook(String hookId, HookChanges body) {
    return invoke("updateHook", "PATCH /hooks/{hookId}", null, body, ChangedHook::new, "hookId", hookId);
  }

  /** Delete a hook. Its waiting deliveries end as ERRORED. */
  public void deleteHook(String hookId) {
    invoke("deleteHook", "DELETE /hooks/{hookId}", null, null, fields -> null, "hookId", hookId);
  }

  /** Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours. */
  public HookHours getHookHealth(String hookId) {
    return getHookHealth(hookId, new GetHookHealthQuery());
  }

  /** Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours. */
  public HookHours getHookHealth(String hookId, GetHookHealthQuery query) {
    return invoke("getHookHealth", "GET /hooks/{hookId}/health", query, null, HookHours::new, "hookId", hookId);
  }

  /** Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets. */
  public RotatedSecret rotateHookSecret(String hookId) {
    return rotateHookSecret(hookId, new RotateSecretRequest());
  }

  /** Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets. */
  public RotatedSecret rotateHookSecret(String hookId, RotateSecretRequest body) {
    return invoke("rotateHookSecret", "POST /hooks/{hookId}/rotate-secret keyed", null, body, RotatedSecret::new, "hookId", hookId);
  }

  /** List the notifications of an app of the last 30 days, newest first. */
  public DeliveryList listAppDeliveries() {
    return listAppDeliveries(new ListAppDeliveriesQuery());
  }

  /** List the notifications of an app of the last 30 days, newest first. */
  public DeliveryList listAppDeliveries(ListAppDeliveriesQuery query) {
    return invoke("listAppDeliveries", "GET /apps/{appId}/deliveries", query, null, DeliveryList::new);
  }

  /** Get a notification of an app with its delivery attempts. */
  public Delivery getAppDelivery(String deliveryId) {
    return invoke("getAppDelivery", "GET /apps/{appId}/deliveries/{deliveryId}", null, null, Delivery::new, "deliveryId", deliveryId);
  }

  /** List the notifications about a merchant of the last 30 days, newest first. */
  public DeliveryList listBusinessDeliveries(String businessId) {
    return listBusinessDeliveries(businessId, new ListBusinessDeliveriesQuery());
  }

  /** List the notifications about a merchant of the last 30 days, newest first. */
  public DeliveryList listBusinessDeliveries(String businessId, ListBusinessDeliveriesQuery query) {
    return invoke("listBusinessDeliveries", "GET /businesses/{businessId}/deliveries", query, null, DeliveryList::new, "businessId", businessId);
  }

  /** Get a notification about a merchant with its delivery attempts. */
  public Delivery getBusinessDelivery(String businessId, String deliveryId) {
    return invoke("getBusinessDelivery", "GET /businesses/{businessId}/deliveries/{deliveryId}", null, null, Delivery::new, "businessId", businessId, "deliveryId", deliveryId);
  }

  /** Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response. */
  public HookTestResult testHook(String hookId) {
    return testHook(hookId, new HookTestRequest());
  }

  /** Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response. */
  public HookTestResult testHook(String hookId, HookTestRequest body) {
    return invoke("testHook", "POST /hooks/{hookId}/test keyed", null, body, HookTestResult::new, "hookId", hookId);
  }

  /** Revoke the approval of an app. Its tokens for the merchant end, and its waiting order notifications are dropped. */
  public void revokeApproval(String businessId) {
    invoke("revokeApproval", "DELETE /businesses/{businessId}/approvals/{appId}", null, null, fields -> null, "businessId", businessId);
  }

  /** Redeliver a notification of an app, with the same bytes and id. */
  public DeliverySummary redeliverOfApp(String deliveryId) {
    return invoke("redeliverOfApp", "POST /apps/{appId}/deliveries/{deliveryId}/redeliver keyed", null, null, DeliverySummary::new, "deliveryId", deliveryId);
  }

  /** Redeliver a notification about a merchant, with the same bytes and id. */
  public DeliverySummary redeliverOfBusiness(String businessId, String deliveryId) {
    return invoke("redeliverOfBusiness", "POST /businesses/{businessId}/deliveries/{deliveryId}/redeliver keyed", null, null, DeliverySummary::new, "businessId", businessId, "deliveryId", deliveryId);
  }

  /** Redeliver a range of notifications in the background. */
  public Redelivery startRedelivery() {
    return startRedelivery(new RedeliveryRequest());
  }

  /** Redeliver a range of notifications in the background. */
  public Redelivery startRedelivery(RedeliveryRequest body) {
    return invoke("startRedelivery", "POST /apps/{appId}/deliveries/redeliver keyed", null, body, Redelivery::new);
  }

  /** List the redeliveries of an app, newest first. */
  public RedeliveryList listRedeliveries() {
    return listRedeliveries(new ListRedeliveriesQuery());
  }

  /** List the redeliveries of an app, newest first. */
  public RedeliveryList listRedeliveries(ListRedeliveriesQuery query) {
    return invoke("listRedeliveries", "GET /apps/{appId}/deliveries/redeliveries", query, null, RedeliveryList::new);
  }

  /** Get the progress of a redelivery. */
  public Redelivery getRedelivery(String redeliveryId) {
    return invoke("getRedelivery", "GET /apps/{appId}/deliveries/redeliveries/{redeliveryId}", null, null, Redelivery::new, "redeliveryId", redeliveryId);
  }

  /** Cancel a redelivery. Notifications that are already queued are still sent. */
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

  /** Get an order. Every order event links here. */
  public Order getOrder(String businessId, String orderId) {
    return invoke("getOrder", "GET /businesses/{businessId}/orders/{orderId}", null, null, Order::new, "businessId", businessId, "orderId", orderId);
  }

  /** Edit, complete or cancel an open order. */
  public Order updateOrder(String businessId, String orderId) {
    return updateOrder(businessId, orderId, new OrderChanges());
  }

  /** Edit, complete or cancel an open order. */
  public Order updateOrder(String businessId, String orderId, OrderChanges body) {
    return invoke("updateOrder", "PATCH /businesses/{businessId}/orders/{orderId}", null, body, Order::new, "businessId", businessId, "orderId", orderId);
  }

  /** List the test clock of a test merchant. */
  public TestClockList listTestClocks(String businessId) {
    return invoke("listTestClocks", "GET /test-clocks", null, null, TestClockList::new, "businessId", businessId);
  }

  /** Create a test clock for a test merchant. */
  public TestClock createTestClock(TestClockRequest body) {
    return invoke("createTestClock", "POST /test-clocks keyed", null, body, TestClock::new);
  }

  /** Get a test clock: its time, status and target. */
  public TestClock getTestClock(String testClockId) {
    return invoke("getTestClock", "GET /test-clocks/{testClockId}", null, null, TestClock::new, "testClockId", testClockId);
  }

  /** Delete a test clock. Its live subscriptions end, and the merchant returns to real time. */
  public void deleteTestClock(String testClockId) {
    invoke("deleteTestClock", "DELETE /test-clocks/{testClockId}", null, null, fields -> null, "testClockId", testClockId);
  }

  /** Advance a test clock. The response waits until all billing, charges and events up to the target are done. */
  public TestClock advanceTestClock(String testClockId, TestClockAdvance body) {
    return invoke("advanceTestClock", "POST /test-clocks/{testClockId}/advance", null, body, TestClock::new, "testClockId", testClockId);
  }

  /** Stop a test clock at its current time. A running advance returns the reached instant. */
  public TestClock freezeTestClock(String testClockId) {
    return invoke("freezeTestClock", "POST /test-clocks/{testClockId}/freeze keyed", null, null, TestClock::new, "testClockId", testClockId);
  }

  /** List the changes made by requests, with the values before and after, newest first. */
  public AuditList listAudit() {
    return listAudit(new ListAuditQuery());
  }

  /** List the changes made by requests, with the values before and after, newest first. */
  public AuditList listAudit(ListAuditQuery query) {
    return invoke("listAudit", "GET /audit", query, null, AuditList::new);
  }

  /** List the requests of an app's tokens in the last 7 days, newest first. */
  public ApiRequestList listAppRequests() {
    return listAppRequests(new ListAppRequestsQuery());
  }

  /** List the requests of an app's tokens in the last 7 days, newest first. */
  public ApiRequestList listAppRequests(ListAppRequestsQuery query) {
    return invoke("listAppRequests", "GET /apps/{appId}/requests", query, null, ApiRequestList::new);
  }

  /** Get the brand of pages, mails and documents. */
  public Brand getBrand() {
    return invoke("getBrand", "GET /brand", null, null, Brand::new);
  }

  /** Set the brand, optionally with a logo. Absent fields are cleared; without a file the logo stays. */
  public Brand changeBrand(BrandRequest body) {
    return invoke("changeBrand", "PUT /brand", null, body, Brand::new);
  }

  /** Remove the logo. Pages then show the first letter of the name. */
  public void removeLogo() {
    invoke("removeLogo", "DELETE /brand/logo", null, null, fields -> null);
  }

  /** List the charges of the next days, assuming that every charge succeeds. */
  public Upcoming listUpcomingCharges() {
    return listUpcomingCharges(new ListUpcomingChargesQuery());
  }

  /** List the charges of the next days, assuming that every charge succeeds. */
  public Upcoming listUpcomingCharges(ListUpcomingChargesQuery query) {
    return invoke("listUpcomingCharges", "GET /operations/upcoming", query, null, Upcoming::new);
  }

  /** List charges without an outcome: in progress, unknown, waiting or stuck. */
  public UnsettledCharges listUnsettledCharges() {
    return listUnsettledCharges(new ListUnsettledChargesQuery());
  }

  /** List charges without an outcome: in progress, unknown, waiting or stuck. */
  public UnsettledCharges listUnsettledCharges(ListUnsettledChargesQuery query) {
    return invoke("listUnsettledCharges", "GET /operations/charges", query, null, UnsettledCharges::new);
  }

  /** Poll a charge without an outcome now, instead of at `nextPollAt`. A charge with an outcome does not change. */
  public UnsettledCharge pollCharge(String chargeId) {
    return invoke("pollCharge", "POST /operations/charges/{chargeId}/poll keyed", null, null, UnsettledCharge::new, "chargeId", chargeId);
  }

  /** List refunds without an outcome: in progress or stuck. */
  public UnsettledRefunds listUnsettledRefunds() {
    return listUnsettledRefunds(new ListUnsettledRefundsQuery());
  }

  /** List refunds without an outcome: in progress or stuck. */
  public UnsettledRefunds listUnsettledRefunds(ListUnsettledRefundsQuery query) {
    return invoke("listUnsettledRefunds", "GET /operations/refunds", query, null, UnsettledRefunds::new);
  }

  /** List quarantined rows with their errors and next retries, most failures first. */
  public QuarantinedList listQuarantined() {
    return listQuarantined(new ListQuarantinedQuery());
  }

  /** List quarantined rows with their errors and next retries, most failures first. */
  public QuarantinedList listQuarantined(ListQuarantinedQuery query) {
    return invoke("listQuarantined", "GET /operations/quarantined", query, null, QuarantinedList::new);
  }

  /** Get recurring revenue, trial conversion, churn and recovery of a month, by currency. */
  public Revenue getRevenue() {
    return getRevenue(new GetRevenueQuery());
  }

  /** Get recurring revenue, trial conversion, churn and recovery of a month, by currency. */
  public Revenue getRevenue(GetRevenueQuery query) {
    return invoke("getRevenue", "GET /reports/revenue", query, null, Revenue::new);
  }

  /** Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days. */
  public DailyRevenue getDailyRevenue() {
    return getDailyRevenue(new GetDailyRevenueQuery());
  }

  /** Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days. */
  public DailyRevenue getDailyRevenue(GetDailyRevenueQuery query) {
    return invoke("getDailyRevenue", "GET /reports/revenue/daily", query, null, DailyRevenue::new);
  }

  /** Get current MRR and subscribers, and the payments and refunds of months, by currency and country. */
  public CountryRevenue getRevenueByCountry() {
    return getRevenueByCountry(new GetRevenueByCountryQuery());
  }

  /** Get current MRR and subscribers, and the payments and refunds of months, by currency and country. */
  public CountryRevenue getRevenueByCountry(GetRevenueByCountryQuery query) {
    return invoke("getRevenueByCountry", "GET /reports/revenue/countries", query, null, CountryRevenue::new);
  }

  /** List the daily comparisons with the gateways' books, the open discrepancies, and the owed refunds. */
  public Reconciliations listReconciliations() {
    return invoke("listReconciliations", "GET /reconciliations", null, null, Reconciliations::new);
  }

  /** Receive a signed event of a payment gateway. Each event is stored once and applied after the response. */
  public GatewayEventReceipt receiveGatewayEvent(String gateway) {
    return invoke("receiveGatewayEvent", "POST /gateways/{gateway}/events", null, null, GatewayEventReceipt::new, "gateway", gateway);
  }

  /** Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check. */
  public Checks runInvariantChecks() {
    return runInvariantChecks(new RunInvariantChecksQuery());
  }

  /** Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check. */
  public Checks runInvariantChecks(RunInvariantChecksQuery query) {
    return invoke("runInvariantChecks", "GET /operations/checks", query, null, Checks::new);
  }

  /** Get a user. */
  public User getUser(String userId) {
    return invoke("getUser", "GET /users/{userId}", null, null, User::new, "userId", userId);
  }

  /** Disable a user and end all sessions, or enable the user again. */
  public User changeUser(String userId, UserChange body) {
    return invoke("changeUser", "PATCH /users/{userId}", null, body, User::new, "userId", userId);
  }

  /** List the people of a business, an organization or the operator. */
  public People listPeople(String kind) {
    return listPeople(kind, new ListPeopleQuery());
  }

  /** List the people of a business, an organization or the operator. */
  public People listPeople(String kind, ListPeopleQuery query) {
    return invoke("listPeople", "GET /memberships", query, null, People::new, "kind", kind);
  }

  /** Accept an invitation, with a new account or the existing account of the address. */
  public Membership acceptInvitation(Acceptance body) {
    return invoke("acceptInvitation", "POST /memberships keyed", null, body, Membership::new);
  }

  /** Change the role of a person. */
  public Person changeRole(String membershipId, RoleChange body) {
    return invoke("changeRole", "PATCH /memberships/{membershipId}", null, body, Person::new, "membershipId", membershipId);
  }

  /** Remove a person from a workspace. */
  public void removePerson(String membershipId) {
    invoke("removePerson", "DELETE /memberships/{membershipId}", null, null, fields -> null, "membershipId", membershipId);
  }

  /** List invitations, newest first. */
  public InvitationList listInvitations(String kind) {
    return listInvitations(kind, new ListInvitationsQuery());
  }

  /** List invitations, newest first. */
  public InvitationList listInvitations(String kind, ListInvitationsQuery query) {
    return invoke("listInvitations", "GET /invitations", query, null, InvitationList::new, "kind", kind);
  }

  /** Invite a person by mail. */
  public Invitation invite(InvitationRequest body) {
    return invoke("invite", "POST /invitations keyed", null, body, Invitation::new);
  }

  /** Revoke an invitation. */
  public void revokeInvitation(String invitationId) {
    invoke("revokeInvitation", "DELETE /invitations/{invitationId}", null, null, fields -> null, "invitationId", invitationId);
  }

  /** List my sessions. */
  public SessionList listSessions() {
    return invoke("listSessions", "GET /sessions", null, null, SessionList::new);
  }

  /** Sign in. The response has the bearer token of the session. */
  public OpenedSession signIn(SignIn body) {
    return invoke("signIn", "POST /sessions", null, body, OpenedSession::new);
  }

  /** Get my current session and my memberships. */
  public CurrentSession getCurrentSession() {
    return invoke("getCurrentSession", "GET /sessions/current", null, null, CurrentSession::new);
  }

  /** Switch my session to another membership. */
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

  /** Get my account. */
  public Account getAccount() {
    return invoke("getAccount", "GET /users/current", null, null, Account::new);
  }

  /** Change my name. */
  public Account changeAccount(AccountChange body) {
    return invoke("changeAccount", "PATCH /users/current", null, body, Account::new);
  }

  /** Change my password and end my other sessions. */
  public void changePassword(PasswordChange body) {
    invoke("changePassword", "POST /users/current/password keyed", null, body, fields -> null);
  }

  /** Create a secret for an authenticator app. */
  public SecondFactor setUpSecondFactor(SecondFactorRequest body) {
    return invoke("setUpSecondFactor", "POST /users/current/second-factor keyed", null, body, SecondFactor::new);
  }

  /** Confirm the second factor with a first code. Later sign-ins require a code. */
  public RecoveryCodes confirmSecondFactor(SecondFactorConfirmation body) {
    return invoke("confirmSecondFactor", "POST /users/current/second-factor/confirm keyed", null, body, RecoveryCodes::new);
  }

  /** Replace my recovery codes. */
  public RecoveryCodes renewRecoveryCodes(Confirmation body) {
    return invoke("renewRecoveryCodes", "POST /users/current/second-factor/recovery-codes keyed", null, body, RecoveryCodes::new);
  }

  /** Remove my second factor. */
  public void removeSecondFactor(Confirmation body) {
    invoke("removeSecondFactor", "POST /users/current/second-factor/remove keyed", null, body, fields -> null);
  }

  /** Send a password reset link to an address, if the address has an account. */
  public void requestPasswordReset(PasswordResetRequest body) {
    invoke("requestPasswordReset", "POST /password-resets keyed", null, body, fields -> null);
  }

  /** Set a new password with a reset link and end every session. */
  public void completePasswordReset(PasswordResetCompletion body) {
    invoke("completePasswordReset", "POST /password-resets/complete keyed", null, body, fields -> null);
  }

  /** List the terminal users of a business. */
  public BusinessUserList listBusinessUsers(String businessId) {
    return invoke("listBusinessUsers", "GET /businesses/{businessId}/users", null, null, BusinessUserList::new, "businessId", businessId);
  }

  /** Create a user who signs in on the terminals of a business. */
  public BusinessUser createBusinessUser(String businessId, BusinessUserRequest body) {
    return invoke("createBusinessUser", "POST /businesses/{businessId}/users keyed", null, body, BusinessUser::new, "businessId", businessId);
  }

  /** Update a terminal user. A new passcode or DISABLED ends the user's sessions. */
  public BusinessUser updateBusinessUser(String businessId, String businessUserId) {
    return updateBusinessUser(businessId, businessUserId, new BusinessUserChanges());
  }

  /** Update a terminal user. A new passcode or DISABLED ends the user's sessions. */
  public BusinessUser updateBusinessUser(String businessId, String businessUserId, BusinessUserChanges body) {
    return invoke("updateBusinessUser", "PATCH /businesses/{businessId}/users/{businessUserId}", null, body, BusinessUser::new, "businessId", businessId, "businessUserId", businessUserId);
  }

  /** Remove a terminal user and end the user's sessions. */
  public void removeBusinessUser(String businessId, String businessUserId) {
    invoke("removeBusinessUser", "DELETE /businesses/{businessId}/users/{businessUserId}", null, null, fields -> null, "businessId", businessId, "businessUserId", businessUserId);
  }

  /** Activate a terminal: exchange its code for a key. */
  public ActivatedDevice activateDevice(Activation body) {
    return invoke("activateDevice", "POST /devices/activate keyed", null, body, ActivatedDevice::new);
  }

  /** Close a terminal permanently. Its key, tokens and sessions end; its subscriptions continue. */
  public void closeDevice(String businessId, String deviceId) {
    invoke("closeDevice", "DELETE /businesses/{businessId}/devices/{deviceId}", null, null, fields -> null, "businessId", businessId, "deviceId", deviceId);
  }

  /** Close a store and its terminals permanently. Subscriptions of the store must be moved or cancelled before. */
  public void closeStore(String businessId, String storeId) {
    invoke("closeStore", "DELETE /businesses/{businessId}/stores/{storeId}", null, null, fields -> null, "businessId", businessId, "storeId", storeId);
  }

  /** Get the name, developer and icon of an app for a terminal. */
  public AppAtTerminal getAppAtTerminal(String packageName) {
    return invoke("getAppAtTerminal", "GET /terminal/apps/{packageName}", null, null, AppAtTerminal::new, "packageName", packageName);
  }

  /** Report that an app was installed or updated on this terminal. The terminal may then call for the app. */
  public InstalledApp reportInstalledApp(String packageName, InstalledAppReport body) {
    return invoke("reportInstalledApp", "PUT /terminal/apps/{packageName}", null, body, InstalledApp::new, "packageName", packageName);
  }

  /** Report that an app is not installed on this terminal. */
  public void reportRemovedApp(String packageName) {
    invoke("reportRemovedApp", "DELETE /terminal/apps/{packageName}", null, null, fields -> null, "packageName", packageName);
  }

  /** List the merchant's subscriptions to an app for this terminal. */
  public SubscriptionPage listSubscriptionsAtTerminal(String packageName) {
    return listSubscriptionsAtTerminal(packageName, new ListSubscriptionsAtTerminalQuery());
  }

  /** List the merchant's subscriptions to an app for this terminal. */
  public SubscriptionPage listSubscriptionsAtTerminal(String packageName, ListSubscriptionsAtTerminalQuery query) {
    return invoke("listSubscriptionsAtTerminal", "GET /terminal/apps/{packageName}/subscriptions", query, null, SubscriptionPage::new, "packageName", packageName);
  }

  /** Get a signed list of the merchant's active subscriptions to an app, for use without a connection. */
  public SignedSubscriptions signSubscriptionsAtTerminal(String packageName) {
    return invoke("signSubscriptionsAtTerminal", "GET /terminal/apps/{packageName}/subscriptions/signed", null, null, SignedSubscriptions::new, "packageName", packageName);
  }

  /** List the plans of an app with the merchant's prices. */
  public PlanPage listPlansAtTerminal(String packageName) {
    return listPlansAtTerminal(packageName, new ListPlansAtTerminalQuery());
  }

  /** List the plans of an app with the merchant's prices. */
  public PlanPage listPlansAtTerminal(String packageName, ListPlansAtTerminalQuery query) {
    return invoke("listPlansAtTerminal", "GET /terminal/apps/{packageName}/plans", query, null, PlanPage::new, "packageName", packageName);
  }

  /** Issue an access token to an app for the signed-in user, valid for an hour. */
  public UserToken issueUserToken(String packageName) {
    return invoke("issueUserToken", "POST /terminal/apps/{packageName}/token", null, null, UserToken::new, "packageName", packageName);
  }

  /** Open a purchase for the signed-in user and get the address of its screen. */
  public Purchase openPurchaseAtTerminal(String packageName) {
    return openPurchaseAtTerminal(packageName, new PurchaseRequest());
  }

  /** Open a purchase for the signed-in user and get the address of its screen. */
  public Purchase openPurchaseAtTerminal(String packageName, PurchaseRequest body) {
    return invoke("openPurchaseAtTerminal", "POST /terminal/apps/{packageName}/purchases keyed", null, body, Purchase::new, "packageName", packageName);
  }

  /** Get a purchase of this terminal and its outcome. */
  public Purchase getPurchaseAtTerminal(String purchaseId) {
    return invoke("getPurchaseAtTerminal", "GET /terminal/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** Cancel a purchase of this terminal. */
  public Purchase cancelPurchaseAtTerminal(String purchaseId) {
    return invoke("cancelPurchaseAtTerminal", "DELETE /terminal/purchases/{purchaseId}", null, null, Purchase::new, "purchaseId", purchaseId);
  }

  /** Approve permissions of an installed app for the merchant, as the signed-in manager. */
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

  /** Sign a user in on this terminal. The session ends after 15 idle minutes. */
  public TerminalSession signInAtTerminal(TerminalSignIn body) {
    return invoke("signInAtTerminal", "POST /terminal/sessions", null, body, TerminalSession::new);
  }

  /** Sign the user out of this terminal. Succeeds also if nobody is signed in. */
  public void signOutAtTerminal() {
    invoke("signOutAtTerminal", "DELETE /terminal/sessions/current", null, null, fields -> null);
  }

  /** Get the health of the process: queued and quarantined work. */
  public Health getHealth() {
    return invoke("getHealth", "GET /healthz", null, null, Health::new);
  }

  /** Check whether the process is ready for requests. */
  public Readiness getReadiness() {
    return invoke("getReadiness", "GET /readyz", null, null, Readiness::new);
  }

  /** Get this document as OpenAPI 3.1. */
  public JsonObject getOpenApi() {
    return invoke("getOpenApi", "GET /openapi.json", null, null, JsonObject::new);
  }
}
