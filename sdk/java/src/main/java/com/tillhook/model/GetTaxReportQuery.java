// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get the collected and returned tax of a month by country and rate". */
public final class GetTaxReportQuery extends Query {
  public GetTaxReportQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public GetTaxReportQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
