// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the invoices of all visible apps, newest first, without lines and attempts". */
public final class SearchInvoicesQuery extends Query {
  public SearchInvoicesQuery status(Status status) { set("status", status); return this; }
  public SearchInvoicesQuery subscriptionId(String subscriptionId) { set("subscriptionId", subscriptionId); return this; }
  public SearchInvoicesQuery number(String number) { set("number", number); return this; }
  public SearchInvoicesQuery refunded(boolean refunded) { set("refunded", refunded); return this; }
  public SearchInvoicesQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchInvoicesQuery appId(String appId) { set("appId", appId); return this; }
  public SearchInvoicesQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public SearchInvoicesQuery merchantType(MerchantType merchantType) { set("merchantType", merchantType); return this; }
  public SearchInvoicesQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public SearchInvoicesQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public SearchInvoicesQuery q(String q) { set("q", q); return this; }
  public SearchInvoicesQuery limit(long limit) { set("limit", limit); return this; }
  public SearchInvoicesQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    OPEN, PAID, UNCOLLECTIBLE, VOID,
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
