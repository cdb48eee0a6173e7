// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refund. */
public final class Refund extends Model {
  public Refund(Map<String, ?> fields) { super(fields); }
  public String refundId() { return required("refundId", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public enum Status implements Value {
    PENDING, SUCCEEDED, FAILED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
