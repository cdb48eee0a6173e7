// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test clock. */
public final class TestClock extends Model {
  public TestClock(Map<String, ?> fields) { super(fields); }
  public String testClockId() { return required("testClockId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public Instant now() { return required("now", Model::asInstant); }
  public Status status() { return required("status", Status::of); }
  public Optional<Instant> to() { return optional("to", Model::asInstant); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    READY, ADVANCING,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
