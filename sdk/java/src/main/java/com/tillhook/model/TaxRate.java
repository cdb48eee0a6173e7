// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax rate. */
public final class TaxRate extends Model {
  public TaxRate(Map<String, ?> fields) { super(fields); }
  public String country() { return required("country", Model::asText); }
  public String validFrom() { return required("validFrom", Model::asText); }
  public Behavior behavior() { return required("behavior", Behavior::of); }
  public String name() { return required("name", Model::asText); }
  public String rate() { return required("rate", Model::asText); }
  public Optional<Boolean> byAddress() { return optional("byAddress", Model::asBoolean); }
  public enum Behavior implements Value {
    INCLUSIVE, EXCLUSIVE, NONE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Behavior of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
