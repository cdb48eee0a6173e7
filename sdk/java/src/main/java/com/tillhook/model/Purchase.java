// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Purchase. */
public final class Purchase extends Model {
  public Purchase(Map<String, ?> fields) { super(fields); }
  public String purchaseId() { return required("purchaseId", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public Kind kind() { return required("kind", Kind::of); }
  public String planId() { return required("planId", Model::asText); }
  public Optional<String> subscriptionId() { return optional("subscriptionId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> url() { return optional("url", Model::asText); }
  public Optional<Payment> payment() { return optional("payment", object(Payment::new)); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant expiresAt() { return required("expiresAt", Model::asInstant); }
  public enum Kind implements Value {
    SUBSCRIBE, REPLACE, RESTORE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    OPEN, COMPLETED, CANCELLED, EXPIRED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  /** Only if COMPLETED: the outcome of the payment */
  public static final class Payment extends Model {
    public Payment(Map<String, ?> fields) { super(fields); }
    public Status status() { return required("status", Status::of); }
    public Optional<String> reason() { return optional("reason", Model::asText); }
    public Optional<String> actionUrl() { return optional("actionUrl", Model::asText); }
    public enum Status implements Value {
      NOTHING_DUE, PAID, PENDING, ACTION_REQUIRED, DECLINED,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
}
