// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Delivery. */
public final class Delivery extends Model {
  public Delivery(Map<String, ?> fields) { super(fields); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public List<Link> links() { return list("links", object(Link::new)); }
  public String id() { return required("id", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public String hookId() { return required("hookId", Model::asText); }
  public String applicationId() { return required("applicationId", Model::asText); }
  public String resource() { return required("resource", Model::asText); }
  public String resourceId() { return required("resourceId", Model::asText); }
  public String eventType() { return required("eventType", Model::asText); }
  public Optional<String> merchantType() { return optional("merchantType", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public long attempt() { return required("attempt", Model::asLong); }
  public String deliveryUrl() { return required("deliveryUrl", Model::asText); }
  public Optional<Instant> nextAttemptAt() { return optional("nextAttemptAt", Model::asInstant); }
  public List<Attempt> attempts() { return list("attempts", object(Attempt::new)); }
  public Optional<Boolean> hasEarlierAttempts() { return optional("hasEarlierAttempts", Model::asBoolean); }
  public enum Status implements Value {
    SCHEDULED, ERRORED_RETRYING, DELIVERED, ERRORED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Attempt extends Model {
    public Attempt(Map<String, ?> fields) { super(fields); }
    public Instant at() { return required("at", Model::asInstant); }
    public long durationMs() { return required("durationMs", Model::asLong); }
    public Optional<Long> httpStatus() { return optional("httpStatus", Model::asLong); }
    public Optional<String> reason() { return optional("reason", Model::asText); }
    public String answer() { return required("answer", Model::asText); }
  }
}
