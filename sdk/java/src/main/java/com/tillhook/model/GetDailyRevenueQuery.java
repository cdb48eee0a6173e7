// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days". */
public final class GetDailyRevenueQuery extends Query {
  public GetDailyRevenueQuery from(String from) { set("from", from); return this; }
  public GetDailyRevenueQuery to(String to) { set("to", to); return this; }
  public GetDailyRevenueQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public GetDailyRevenueQuery appId(String appId) { set("appId", appId); return this; }
  public GetDailyRevenueQuery planId(String planId) { set("planId", planId); return this; }
  public GetDailyRevenueQuery currency(String currency) { set("currency", currency); return this; }
  public GetDailyRevenueQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
