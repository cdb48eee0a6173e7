// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the subscriptions of an app: active ones of all merchants, unless filtered". */
public final class ListSubscriptionsQuery extends Query {
  public ListSubscriptionsQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public ListSubscriptionsQuery storeId(String storeId) { set("storeId", storeId); return this; }
  public ListSubscriptionsQuery deviceId(String deviceId) { set("deviceId", deviceId); return this; }
  public ListSubscriptionsQuery planId(String planId) { set("planId", planId); return this; }
  public ListSubscriptionsQuery status(Status status) { set("status", status); return this; }
  public ListSubscriptionsQuery start(long start) { set("start", start); return this; }
  public ListSubscriptionsQuery count(long count) { set("count", count); return this; }
  public ListSubscriptionsQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    PENDING, ACTIVE, ENDED, ALL,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
