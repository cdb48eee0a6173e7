// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invoice line. */
public final class InvoiceLine extends Model {
  public InvoiceLine(Map<String, ?> fields) { super(fields); }
  public Kind kind() { return required("kind", Kind::of); }
  public String description() { return required("description", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public Optional<Long> net() { return optional("net", Model::asLong); }
  public Optional<Long> tax() { return optional("tax", Model::asLong); }
  public Optional<String> taxRate() { return optional("taxRate", Model::asText); }
  public Instant periodStart() { return required("periodStart", Model::asInstant); }
  public Instant periodEnd() { return required("periodEnd", Model::asInstant); }
  public enum Kind implements Value {
    PLAN, CREDIT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
