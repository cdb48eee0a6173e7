// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed". */
public final class SearchTerminalsQuery extends Query {
  public SearchTerminalsQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchTerminalsQuery appId(String appId) { set("appId", appId); return this; }
  public SearchTerminalsQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public SearchTerminalsQuery storeId(String storeId) { set("storeId", storeId); return this; }
  public SearchTerminalsQuery status(Status status) { set("status", status); return this; }
  public SearchTerminalsQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public SearchTerminalsQuery q(String q) { set("q", q); return this; }
  public SearchTerminalsQuery limit(long limit) { set("limit", limit); return this; }
  public SearchTerminalsQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    NEW, ACTIVE, CLOSED,
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
