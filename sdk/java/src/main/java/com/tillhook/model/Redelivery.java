// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redelivery. */
public final class Redelivery extends Model {
  public Redelivery(Map<String, ?> fields) { super(fields); }
  public String redeliveryId() { return required("redeliveryId", Model::asText); }
  public String applicationId() { return required("applicationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public Optional<String> hookId() { return optional("hookId", Model::asText); }
  public Optional<Status> status() { return optional("status", Status::of); }
  public Instant startAt() { return required("startAt", Model::asInstant); }
  public Instant endAt() { return required("endAt", Model::asInstant); }
  public Optional<String> undeliveredSince() { return optional("undeliveredSince", Model::asText); }
  public State state() { return required("state", State::of); }
  public Progress progress() { return required("progress", object(Progress::new)); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    SCHEDULED, ERRORED_RETRYING, DELIVERED, ERRORED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum State implements Value {
    RUNNING, DONE, CANCELLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Progress extends Model {
    public Progress(Map<String, ?> fields) { super(fields); }
    public long percent() { return required("percent", Model::asLong); }
    public long queued() { return required("queued", Model::asLong); }
    public long skipped() { return required("skipped", Model::asLong); }
  }
}
