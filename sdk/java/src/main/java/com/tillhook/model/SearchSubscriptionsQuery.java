// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the subscriptions of all visible apps, newest first". */
public final class SearchSubscriptionsQuery extends Query {
  public SearchSubscriptionsQuery status(Status status) { set("status", status); return this; }
  public SearchSubscriptionsQuery phase(Phase phase) { set("phase", phase); return this; }
  public SearchSubscriptionsQuery paymentStatus(PaymentStatus paymentStatus) { set("paymentStatus", paymentStatus); return this; }
  public SearchSubscriptionsQuery planId(String planId) { set("planId", planId); return this; }
  public SearchSubscriptionsQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchSubscriptionsQuery appId(String appId) { set("appId", appId); return this; }
  public SearchSubscriptionsQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public SearchSubscriptionsQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public SearchSubscriptionsQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public SearchSubscriptionsQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public SearchSubscriptionsQuery q(String q) { set("q", q); return this; }
  public SearchSubscriptionsQuery limit(long limit) { set("limit", limit); return this; }
  public SearchSubscriptionsQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    PENDING, ACTIVE, ENDED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Phase implements Value {
    TRIAL, FULL,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Phase of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum PaymentStatus implements Value {
    CURRENT, PAST_DUE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static PaymentStatus of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
