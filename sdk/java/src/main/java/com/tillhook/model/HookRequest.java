// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hook request. */
public final class HookRequest extends Model {
  public HookRequest() {}
  public HookRequest(Map<String, ?> fields) { super(fields); }
  public String applicationId() { return required("applicationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public String deliveryUrl() { return required("deliveryUrl", Model::asText); }
  public String secret() { return required("secret", Model::asText); }
  public List<EventType> eventTypes() { return list("eventTypes", EventType::of); }
  public HookRequest applicationId(String applicationId) { set("applicationId", applicationId); return this; }
  public HookRequest businessId(String businessId) { set("businessId", businessId); return this; }
  public HookRequest deliveryUrl(String deliveryUrl) { set("deliveryUrl", deliveryUrl); return this; }
  public HookRequest secret(String secret) { set("secret", secret); return this; }
  public HookRequest eventTypes(List<EventType> eventTypes) { set("eventTypes", eventTypes); return this; }
  public enum EventType implements Value {
    APPLICATION_SUBSCRIPTION_START, APPLICATION_SUBSCRIPTION_END, APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS, APPLICATION_SUBSCRIPTION_PAYMENT_FAIL, APPLICATION_SUBSCRIPTION_PHASE_CHANGE, APPLICATION_SUBSCRIPTION_REFUND_SUCCESS, APPLICATION_SUBSCRIPTION_TRIAL_ENDING, APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED, APPLICATION_SUBSCRIPTION_RESTORED, APPLICATION_SUBSCRIPTION_PLAN_CHANGE, APPLICATION_SUBSCRIPTION_TRANSFERRED, APPLICATION_SUBSCRIPTION_DISPUTE_OPENED, APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED, ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
