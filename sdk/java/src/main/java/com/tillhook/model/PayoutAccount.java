// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payout account. */
public final class PayoutAccount extends Model {
  public PayoutAccount(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public Optional<String> accountId() { return optional("accountId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public enum Status implements Value {
    NONE, PENDING, READY,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
