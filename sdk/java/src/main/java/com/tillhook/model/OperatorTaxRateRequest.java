// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operator tax rate request. */
public final class OperatorTaxRateRequest extends Model {
  public OperatorTaxRateRequest() {}
  public OperatorTaxRateRequest(Map<String, ?> fields) { super(fields); }
  public Behavior behavior() { return required("behavior", Behavior::of); }
  public String name() { return required("name", Model::asText); }
  public String rate() { return required("rate", Model::asText); }
  public Optional<Boolean> byAddress() { return optional("byAddress", Model::asBoolean); }
  public OperatorTaxRateRequest behavior(Behavior behavior) { set("behavior", behavior); return this; }
  public OperatorTaxRateRequest name(String name) { set("name", name); return this; }
  public OperatorTaxRateRequest rate(String rate) { set("rate", rate); return this; }
  public OperatorTaxRateRequest byAddress(boolean byAddress) { set("byAddress", byAddress); return this; }
  public enum Behavior implements Value {
    INCLUSIVE, EXCLUSIVE, NONE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Behavior of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
