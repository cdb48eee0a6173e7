// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the changes made by requests, with the values before and after, newest first". */
public final class ListAuditQuery extends Query {
  public ListAuditQuery kind(Kind kind) { set("kind", kind); return this; }
  public ListAuditQuery resourceId(String resourceId) { set("resourceId", resourceId); return this; }
  public ListAuditQuery principal(String principal) { set("principal", principal); return this; }
  public ListAuditQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public ListAuditQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public ListAuditQuery limit(long limit) { set("limit", limit); return this; }
  public ListAuditQuery after(String after) { set("after", after); return this; }
  public enum Kind implements Value {
    BRAND, ORGANIZATION, ORGANIZATION_BOOKING, PAYOUT_ACCOUNT, PAYOUT_TRANSFER, SELLER, APP, APP_KEY, SIGNING_KEY, RELEASE, RELEASE_MESSAGE, NOTE, PLAN, BUSINESS, STORE, DEVICE, DEVICE_KEY, BUSINESS_USER, APPROVAL, INSTALLED_APP, APP_PERMISSIONS, PAYMENT_METHOD, SUBSCRIPTION, INVOICE, DISPUTE_EVIDENCE, CHARGE, REFUND, HOOK, REDELIVERY, APP_ENDING, CATCH_UP, TAX_SETTINGS, TAX_RATE, ORDER, PURCHASE, TEST_CLOCK, USER, MEMBERSHIP, VIEWING, INVITATION, SECOND_FACTOR,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
