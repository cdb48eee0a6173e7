// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the charges of all visible apps, newest first". */
public final class SearchChargesQuery extends Query {
  public SearchChargesQuery status(Status status) { set("status", status); return this; }
  public SearchChargesQuery invoiceId(String invoiceId) { set("invoiceId", invoiceId); return this; }
  public SearchChargesQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchChargesQuery appId(String appId) { set("appId", appId); return this; }
  public SearchChargesQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public SearchChargesQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public SearchChargesQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public SearchChargesQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public SearchChargesQuery q(String q) { set("q", q); return this; }
  public SearchChargesQuery limit(long limit) { set("limit", limit); return this; }
  public SearchChargesQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    SUCCEEDED, DECLINED, IN_FLIGHT, PENDING, ACTION_REQUIRED, UNKNOWN, WITHDRAWN,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
