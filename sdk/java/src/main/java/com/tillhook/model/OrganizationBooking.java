// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization booking. */
public final class OrganizationBooking extends Model {
  public OrganizationBooking(Map<String, ?> fields) { super(fields); }
  public String bookingId() { return required("bookingId", Model::asText); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public Kind kind() { return required("kind", Kind::of); }
  public long amount() { return required("amount", Model::asLong); }
  public String currency() { return required("currency", Model::asText); }
  public String reference() { return required("reference", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public long owed() { return required("owed", Model::asLong); }
  public enum Kind implements Value {
    FEE, PAYOUT, ADJUSTMENT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
