// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Notification. */
public final class Notification extends Model {
  public Notification(Map<String, ?> fields) { super(fields); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public List<Link> links() { return list("links", object(Link::new)); }
  public String id() { return required("id", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public String hookId() { return required("hookId", Model::asText); }
  public String applicationId() { return required("applicationId", Model::asText); }
  public String resource() { return required("resource", Model::asText); }
  public String resourceId() { return required("resourceId", Model::asText); }
  public EventType eventType() { return required("eventType", EventType::of); }
  public Optional<MerchantType> merchantType() { return optional("merchantType", MerchantType::of); }
  public String businessId() { return required("businessId", Model::asText); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public enum EventType implements Value {
    APPLICATION_SUBSCRIPTION_START, APPLICATION_SUBSCRIPTION_END, APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS, APPLICATION_SUBSCRIPTION_PAYMENT_FAIL, APPLICATION_SUBSCRIPTION_PHASE_CHANGE, APPLICATION_SUBSCRIPTION_REFUND_SUCCESS, APPLICATION_SUBSCRIPTION_TRIAL_ENDING, APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED, APPLICATION_SUBSCRIPTION_RESTORED, APPLICATION_SUBSCRIPTION_PLAN_CHANGE, APPLICATION_SUBSCRIPTION_TRANSFERRED, APPLICATION_SUBSCRIPTION_DISPUTE_OPENED, APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED, ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED, TEST,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
