// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invoice. */
public final class Invoice extends Model {
  public Invoice(Map<String, ?> fields) { super(fields); }
  public String invoiceId() { return required("invoiceId", Model::asText); }
  public String number() { return required("number", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public String subscriptionId() { return required("subscriptionId", Model::asText); }
  public String planId() { return required("planId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public String currency() { return required("currency", Model::asText); }
  public String country() { return required("country", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public long creditApplied() { return required("creditApplied", Model::asLong); }
  public long amountPaid() { return required("amountPaid", Model::asLong); }
  public long amountRefunded() { return required("amountRefunded", Model::asLong); }
  public Optional<Long> amountChargedBack() { return optional("amountChargedBack", Model::asLong); }
  public List<InvoiceLine> lines() { return list("lines", object(InvoiceLine::new)); }
  public Optional<InvoiceTax> tax() { return optional("tax", object(InvoiceTax::new)); }
  public List<Attempt> attempts() { return list("attempts", object(Attempt::new)); }
  public List<Refund> refunds() { return list("refunds", object(Refund::new)); }
  public List<CreditNote> creditNotes() { return list("creditNotes", object(CreditNote::new)); }
  public List<Dispute> disputes() { return list("disputes", object(Dispute::new)); }
  public Instant periodStart() { return required("periodStart", Model::asInstant); }
  public Instant periodEnd() { return required("periodEnd", Model::asInstant); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    OPEN, PAID, UNCOLLECTIBLE, VOID,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Attempt extends Model {
    public Attempt(Map<String, ?> fields) { super(fields); }
    public Instant at() { return required("at", Model::asInstant); }
    public Outcome outcome() { return required("outcome", Outcome::of); }
    public Optional<String> reason() { return optional("reason", Model::asText); }
    public Optional<String> actionUrl() { return optional("actionUrl", Model::asText); }
    public enum Outcome implements Value {
      SUCCEEDED, DECLINED, IN_FLIGHT, PENDING, ACTION_REQUIRED, UNKNOWN,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Outcome of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
  public static final class CreditNote extends Model {
    public CreditNote(Map<String, ?> fields) { super(fields); }
    public String creditNoteId() { return required("creditNoteId", Model::asText); }
    public String number() { return required("number", Model::asText); }
    public Optional<String> refundId() { return optional("refundId", Model::asText); }
    public long amount() { return required("amount", Model::asLong); }
    public Optional<Long> tax() { return optional("tax", Model::asLong); }
    public Instant createdAt() { return required("createdAt", Model::asInstant); }
  }
}
