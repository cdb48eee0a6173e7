// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payout transfer. */
public final class PayoutTransfer extends Model {
  public PayoutTransfer(Map<String, ?> fields) { super(fields); }
  public String transferId() { return required("transferId", Model::asText); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String month() { return required("month", Model::asText); }
  public String currency() { return required("currency", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> providerTransferId() { return optional("providerTransferId", Model::asText); }
  public Optional<String> failure() { return optional("failure", Model::asText); }
  public long amountReversed() { return required("amountReversed", Model::asLong); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    PENDING, SUCCEEDED, FAILED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
