// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Unsettled charge. */
public final class UnsettledCharge extends Model {
  public UnsettledCharge(Map<String, ?> fields) { super(fields); }
  public String chargeId() { return required("chargeId", Model::asText); }
  public String subscriptionId() { return required("subscriptionId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public Optional<Instant> waitsUntil() { return optional("waitsUntil", Model::asInstant); }
  public Optional<String> gateway() { return optional("gateway", Model::asText); }
  public String invoiceId() { return required("invoiceId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String businessName() { return required("businessName", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public String currency() { return required("currency", Model::asText); }
  public Instant startedAt() { return required("startedAt", Model::asInstant); }
  public long pollCount() { return required("pollCount", Model::asLong); }
  public Optional<Instant> nextPollAt() { return optional("nextPollAt", Model::asInstant); }
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
