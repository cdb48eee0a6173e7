// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax settings request. */
public final class TaxSettingsRequest extends Model {
  public TaxSettingsRequest() {}
  public TaxSettingsRequest(Map<String, ?> fields) { super(fields); }
  public Source source() { return required("source", Source::of); }
  public TaxSettingsRequest source(Source source) { set("source", source); return this; }
  public enum Source implements Value {
    OPERATOR, OWN, NONE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Source of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
