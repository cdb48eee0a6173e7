// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Subscription change. */
public final class SubscriptionChange extends Model {
  public SubscriptionChange() {}
  public SubscriptionChange(Map<String, ?> fields) { super(fields); }
  public Optional<String> planId() { return optional("planId", Model::asText); }
  public Optional<When> when() { return optional("when", When::of); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public SubscriptionChange planId(String planId) { set("planId", planId); return this; }
  public SubscriptionChange when(When when) { set("when", when); return this; }
  public SubscriptionChange storeId(String storeId) { set("storeId", storeId); return this; }
  public SubscriptionChange deviceId(String deviceId) { set("deviceId", deviceId); return this; }
  public enum When implements Value {
    NOW, PERIOD_END,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static When of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
