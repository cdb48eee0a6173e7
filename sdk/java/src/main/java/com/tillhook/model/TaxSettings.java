// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax settings. */
public final class TaxSettings extends Model {
  public TaxSettings(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public Source source() { return required("source", Source::of); }
  public List<TaxRate> rates() { return list("rates", object(TaxRate::new)); }
  public enum Source implements Value {
    OPERATOR, OWN, NONE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Source of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
