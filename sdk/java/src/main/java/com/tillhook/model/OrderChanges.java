// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Order changes. */
public final class OrderChanges extends Model {
  public OrderChanges() {}
  public OrderChanges(Map<String, ?> fields) { super(fields); }
  public Optional<Status> status() { return optional("status", Status::of); }
  public Optional<Long> amount() { return optional("amount", Model::asLong); }
  public Optional<String> currency() { return optional("currency", Model::asText); }
  public Optional<String> reference() { return optional("reference", Model::asText); }
  public Optional<String> note() { return optional("note", Model::asText); }
  public OrderChanges status(Status status) { set("status", status); return this; }
  public OrderChanges amount(long amount) { set("amount", amount); return this; }
  public OrderChanges currency(String currency) { set("currency", currency); return this; }
  public OrderChanges reference(String reference) { set("reference", reference); return this; }
  public OrderChanges note(String note) { set("note", note); return this; }
  public enum Status implements Value {
    OPENED, COMPLETED, CANCELLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
