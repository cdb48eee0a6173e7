// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hook changes. */
public final class HookChanges extends Model {
  public HookChanges() {}
  public HookChanges(Map<String, ?> fields) { super(fields); }
  public Optional<String> deliveryUrl() { return optional("deliveryUrl", Model::asText); }
  public Optional<String> secret() { return optional("secret", Model::asText); }
  public List<EventType> eventTypes() { return list("eventTypes", EventType::of); }
  public Optional<Boolean> active() { return optional("active", Model::asBoolean); }
  public Optional<Boolean> resendMissed() { return optional("resendMissed", Model::asBoolean); }
  public HookChanges deliveryUrl(String deliveryUrl) { set("deliveryUrl", deliveryUrl); return this; }
  public HookChanges secret(String secret) { set("secret", secret); return this; }
  public HookChanges eventTypes(List<EventType> eventTypes) { set("eventTypes", eventTypes); return this; }
  public HookChanges active(boolean active) { set("active", active); return this; }
  public HookChanges resendMissed(boolean resendMissed) { set("resendMissed", resendMissed); return this; }
  public enum EventType implements Value {
    APPLICATION_SUBSCRIPTION_START, APPLICATION_SUBSCRIPTION_END, APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS, APPLICATION_SUBSCRIPTION_PAYMENT_FAIL, APPLICATION_SUBSCRIPTION_PHASE_CHANGE, APPLICATION_SUBSCRIPTION_REFUND_SUCCESS, APPLICATION_SUBSCRIPTION_TRIAL_ENDING, APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED, APPLICATION_SUBSCRIPTION_RESTORED, APPLICATION_SUBSCRIPTION_PLAN_CHANGE, APPLICATION_SUBSCRIPTION_TRANSFERRED, APPLICATION_SUBSCRIPTION_DISPUTE_OPENED, APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED, ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
