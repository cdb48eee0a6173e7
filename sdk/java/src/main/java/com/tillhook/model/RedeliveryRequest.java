// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redelivery request. */
public final class RedeliveryRequest extends Model {
  public RedeliveryRequest() {}
  public RedeliveryRequest(Map<String, ?> fields) { super(fields); }
  public Optional<Instant> startAt() { return optional("startAt", Model::asInstant); }
  public Optional<Instant> since() { return optional("since", Model::asInstant); }
  public Optional<Instant> endAt() { return optional("endAt", Model::asInstant); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public Optional<String> hookId() { return optional("hookId", Model::asText); }
  public Optional<Status> status() { return optional("status", Status::of); }
  public RedeliveryRequest startAt(Instant startAt) { set("startAt", startAt); return this; }
  public RedeliveryRequest since(Instant since) { set("since", since); return this; }
  public RedeliveryRequest endAt(Instant endAt) { set("endAt", endAt); return this; }
  public RedeliveryRequest businessId(String businessId) { set("businessId", businessId); return this; }
  public RedeliveryRequest hookId(String hookId) { set("hookId", hookId); return this; }
  public RedeliveryRequest status(Status status) { set("status", status); return this; }
  public enum Status implements Value {
    SCHEDULED, ERRORED_RETRYING, DELIVERED, ERRORED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
