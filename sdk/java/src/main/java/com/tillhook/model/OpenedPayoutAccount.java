// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opened payout account. */
public final class OpenedPayoutAccount extends Model {
  public OpenedPayoutAccount(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String accountId() { return required("accountId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public String onboardingUrl() { return required("onboardingUrl", Model::asText); }
  public enum Status implements Value {
    PENDING, READY,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
