// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changed hook. */
public final class ChangedHook extends Model {
  public ChangedHook(Map<String, ?> fields) { super(fields); }
  public String id() { return required("id", Model::asText); }
  public String applicationId() { return required("applicationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public String deliveryUrl() { return required("deliveryUrl", Model::asText); }
  public String secret() { return required("secret", Model::asText); }
  public List<EventType> eventTypes() { return list("eventTypes", EventType::of); }
  public boolean active() { return required("active", Model::asBoolean); }
  public Optional<DisabledReason> disabledReason() { return optional("disabledReason", DisabledReason::of); }
  public Optional<Health> health() { return optional("health", object(Health::new)); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public Optional<String> redeliveryId() { return optional("redeliveryId", Model::asText); }
  public enum EventType implements Value {
    APPLICATION_SUBSCRIPTION_START, APPLICATION_SUBSCRIPTION_END, APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS, APPLICATION_SUBSCRIPTION_PAYMENT_FAIL, APPLICATION_SUBSCRIPTION_PHASE_CHANGE, APPLICATION_SUBSCRIPTION_REFUND_SUCCESS, APPLICATION_SUBSCRIPTION_TRIAL_ENDING, APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED, APPLICATION_SUBSCRIPTION_RESTORED, APPLICATION_SUBSCRIPTION_PLAN_CHANGE, APPLICATION_SUBSCRIPTION_TRANSFERRED, APPLICATION_SUBSCRIPTION_DISPUTE_OPENED, APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED, ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum DisabledReason implements Value {
    GONE("gone"), FAILING("failing"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    DisabledReason(String value) { this.value = value; }
    @Override public String value() { return value; }
    static DisabledReason of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Health extends Model {
    public Health(Map<String, ?> fields) { super(fields); }
    public State state() { return required("state", State::of); }
    public long failures() { return required("failures", Model::asLong); }
    public Optional<Instant> failingSince() { return optional("failingSince", Model::asInstant); }
    public Optional<String> lastFailure() { return optional("lastFailure", Model::asText); }
    public Optional<Instant> pausedUntil() { return optional("pausedUntil", Model::asInstant); }
    public enum State implements Value {
      HEALTHY, SLOW, FAILING, OPEN, HALF_OPEN,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
}
