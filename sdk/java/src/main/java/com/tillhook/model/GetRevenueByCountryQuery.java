// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get current MRR and subscribers, and the payments and refunds of months, by currency and country". */
public final class GetRevenueByCountryQuery extends Query {
  public GetRevenueByCountryQuery from(String from) { set("from", from); return this; }
  public GetRevenueByCountryQuery to(String to) { set("to", to); return this; }
  public GetRevenueByCountryQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public GetRevenueByCountryQuery appId(String appId) { set("appId", appId); return this; }
  public GetRevenueByCountryQuery currency(String currency) { set("currency", currency); return this; }
  public GetRevenueByCountryQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
