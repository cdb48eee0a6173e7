// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reconciliations. */
public final class Reconciliations extends Model {
  public Reconciliations(Map<String, ?> fields) { super(fields); }
  public List<Reconciliation> reconciliations() { return list("reconciliations", object(Reconciliation::new)); }
  public List<Discrepancy> discrepancies() { return list("discrepancies", object(Discrepancy::new)); }
  public List<OwedRefund> owedRefunds() { return list("owedRefunds", object(OwedRefund::new)); }
  public static final class Reconciliation extends Model {
    public Reconciliation(Map<String, ?> fields) { super(fields); }
    public Gateway gateway() { return required("gateway", Gateway::of); }
    public Instant fromAt() { return required("fromAt", Model::asInstant); }
    public Instant untilAt() { return required("untilAt", Model::asInstant); }
    public Optional<Instant> finishedAt() { return optional("finishedAt", Model::asInstant); }
    public long compared() { return required("compared", Model::asLong); }
    public long repaired() { return required("repaired", Model::asLong); }
    public long discrepancies() { return required("discrepancies", Model::asLong); }
    public enum Gateway implements Value {
      SANDBOX("sandbox"), STRIPE("stripe"),
      /** A value that is newer than this SDK. */
      UNRECOGNIZED("UNRECOGNIZED");

      private final String value;
      Gateway(String value) { this.value = value; }
      @Override public String value() { return value; }
      static Gateway of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
  public static final class Discrepancy extends Model {
    public Discrepancy(Map<String, ?> fields) { super(fields); }
    public Gateway gateway() { return required("gateway", Gateway::of); }
    public String gatewayChargeId() { return required("gatewayChargeId", Model::asText); }
    public Kind kind() { return required("kind", Kind::of); }
    public String detail() { return required("detail", Model::asText); }
    public Optional<String> invoiceId() { return optional("invoiceId", Model::asText); }
    public Instant firstSeenAt() { return required("firstSeenAt", Model::asInstant); }
    public Instant lastSeenAt() { return required("lastSeenAt", Model::asInstant); }
    public enum Gateway implements Value {
      SANDBOX("sandbox"), STRIPE("stripe"),
      /** A value that is newer than this SDK. */
      UNRECOGNIZED("UNRECOGNIZED");

      private final String value;
      Gateway(String value) { this.value = value; }
      @Override public String value() { return value; }
      static Gateway of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public enum Kind implements Value {
      CHARGE_OBJECT_UNKNOWN, CHARGE_OBJECT_NOT_AT_GATEWAY, CHARGE_NOT_AT_GATEWAY, CHARGE_NOT_OURS, AMOUNT_DIFFERS, REFUND_NOT_AT_GATEWAY, REFUND_SUCCEEDED_AFTER_ALL, DISPUTED, DISPUTE_LOST, NOT_COMPARED,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
  public static final class OwedRefund extends Model {
    public OwedRefund(Map<String, ?> fields) { super(fields); }
    public String refundId() { return required("refundId", Model::asText); }
    public String invoiceId() { return required("invoiceId", Model::asText); }
    public String businessId() { return required("businessId", Model::asText); }
    public long amount() { return required("amount", Model::asLong); }
    public String currency() { return required("currency", Model::asText); }
    public String failure() { return required("failure", Model::asText); }
    public Instant failedAt() { return required("failedAt", Model::asInstant); }
  }
}
