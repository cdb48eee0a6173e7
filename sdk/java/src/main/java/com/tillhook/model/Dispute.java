// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Dispute. */
public final class Dispute extends Model {
  public Dispute(Map<String, ?> fields) { super(fields); }
  public String disputeId() { return required("disputeId", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    OPEN, LOST, WON,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
