// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the disputes of all visible apps, newest first". */
public final class SearchDisputesQuery extends Query {
  public SearchDisputesQuery status(Status status) { set("status", status); return this; }
  public SearchDisputesQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchDisputesQuery appId(String appId) { set("appId", appId); return this; }
  public SearchDisputesQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public SearchDisputesQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public SearchDisputesQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public SearchDisputesQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public SearchDisputesQuery q(String q) { set("q", q); return this; }
  public SearchDisputesQuery limit(long limit) { set("limit", limit); return this; }
  public SearchDisputesQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    OPEN, LOST, WON,
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
