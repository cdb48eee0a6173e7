// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Unsettled refunds. */
public final class UnsettledRefunds extends Page<UnsettledRefunds.Item> {
  public UnsettledRefunds(Map<String, ?> fields) { super(fields); }
  @Override public List<UnsettledRefunds.Item> items() { return list(); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public Optional<String> next() { return optional("next", Model::asText); }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String refundId() { return required("refundId", Model::asText); }
    public String reason() { return required("reason", Model::asText); }
    public String origin() { return required("origin", Model::asText); }
    public String invoiceId() { return required("invoiceId", Model::asText); }
    public String businessId() { return required("businessId", Model::asText); }
    public String businessName() { return required("businessName", Model::asText); }
    public long amount() { return required("amount", Model::asLong); }
    public String currency() { return required("currency", Model::asText); }
    public Instant startedAt() { return required("startedAt", Model::asInstant); }
    public long pollCount() { return required("pollCount", Model::asLong); }
    public Optional<Instant> nextPollAt() { return optional("nextPollAt", Model::asInstant); }
    public Optional<Quarantined> quarantined() { return optional("quarantined", object(Quarantined::new)); }
    public static final class Quarantined extends Model {
      public Quarantined(Map<String, ?> fields) { super(fields); }
      public long failures() { return required("failures", Model::asLong); }
      public String lastError() { return required("lastError", Model::asText); }
    }
  }
}
