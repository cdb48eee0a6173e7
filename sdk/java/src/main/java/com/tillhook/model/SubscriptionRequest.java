// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Subscription request. */
public final class SubscriptionRequest extends Model {
  public SubscriptionRequest() {}
  public SubscriptionRequest(Map<String, ?> fields) { super(fields); }
  public String businessId() { return required("businessId", Model::asText); }
  public String planId() { return required("planId", Model::asText); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public Optional<String> paymentMethodId() { return optional("paymentMethodId", Model::asText); }
  public SubscriptionRequest businessId(String businessId) { set("businessId", businessId); return this; }
  public SubscriptionRequest planId(String planId) { set("planId", planId); return this; }
  public SubscriptionRequest storeId(String storeId) { set("storeId", storeId); return this; }
  public SubscriptionRequest deviceId(String deviceId) { set("deviceId", deviceId); return this; }
  public SubscriptionRequest paymentMethodId(String paymentMethodId) { set("paymentMethodId", paymentMethodId); return this; }
}
