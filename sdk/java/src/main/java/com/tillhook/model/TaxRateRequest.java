// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax rate request. */
public final class TaxRateRequest extends Model {
  public TaxRateRequest() {}
  public TaxRateRequest(Map<String, ?> fields) { super(fields); }
  public Behavior behavior() { return required("behavior", Behavior::of); }
  public String name() { return required("name", Model::asText); }
  public String rate() { return required("rate", Model::asText); }
  public TaxRateRequest behavior(Behavior behavior) { set("behavior", behavior); return this; }
  public TaxRateRequest name(String name) { set("name", name); return this; }
  public TaxRateRequest rate(String rate) { set("rate", rate); return this; }
  public enum Behavior implements Value {
    INCLUSIVE, EXCLUSIVE, NONE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Behavior of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
