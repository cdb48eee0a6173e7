// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get the statement of a month: bookings by plan, and the balance before and after". */
public final class GetStatementQuery extends Query {
  public GetStatementQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public GetStatementQuery currency(String currency) { set("currency", currency); return this; }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
