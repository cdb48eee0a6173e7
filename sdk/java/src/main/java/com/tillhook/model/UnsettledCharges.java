// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Unsettled charges. */
public final class UnsettledCharges extends Page<UnsettledCharges.Item> {
  public UnsettledCharges(Map<String, ?> fields) { super(fields); }
  @Override public List<UnsettledCharges.Item> items() { return list(); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public Optional<String> next() { return optional("next", Model::asText); }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String chargeId() { return required("chargeId", Model::asText); }
    public String subscriptionId() { return required("subscriptionId", Model::asText); }
    public Status status() { return required("status", Status::of); }
    public Optional<String> reason() { return optional("reason", Model::asText); }
    public Optional<Instant> waitsUntil() { return optional("waitsUntil", Model::asInstant); }
    public String invoiceId() { return required("invoiceId", Model::asText); }
    public String businessId() { return required("businessId", Model::asText); }
    public long amount() { return required("amount", Model::asLong); }
    public String currency() { return required("currency", Model::asText); }
    public Instant startedAt() { return required("startedAt", Model::asInstant); }
    public long pollCount() { return required("pollCount", Model::asLong); }
    public Instant nextPollAt() { return required("nextPollAt", Model::asInstant); }
    public Optional<Quarantined> quarantined() { return optional("quarantined", object(Quarantined::new)); }
    public enum Status implements Value {
      IN_FLIGHT, PENDING, ACTION_REQUIRED, UNKNOWN, SUCCEEDED, DECLINED_SOFT, DECLINED_HARD, WITHDRAWN,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public static final class Quarantined extends Model {
      public Quarantined(Map<String, ?> fields) { super(fields); }
      public long failures() { return required("failures", Model::asLong); }
      public String lastError() { return required("lastError", Model::asText); }
    }
  }
}
