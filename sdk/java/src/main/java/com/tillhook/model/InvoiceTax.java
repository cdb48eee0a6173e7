// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invoice tax. */
public final class InvoiceTax extends Model {
  public InvoiceTax(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public Behavior behavior() { return required("behavior", Behavior::of); }
  public String rate() { return required("rate", Model::asText); }
  public long net() { return required("net", Model::asLong); }
  public long tax() { return required("tax", Model::asLong); }
  public long gross() { return required("gross", Model::asLong); }
  public boolean reverseCharge() { return required("reverseCharge", Model::asBoolean); }
  public Optional<RateSource> rateSource() { return optional("rateSource", RateSource::of); }
  public List<Jurisdiction> jurisdictions() { return list("jurisdictions", object(Jurisdiction::new)); }
  public Optional<String> sellerTaxId() { return optional("sellerTaxId", Model::asText); }
  public Optional<String> buyerTaxId() { return optional("buyerTaxId", Model::asText); }
  public enum Behavior implements Value {
    INCLUSIVE, EXCLUSIVE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Behavior of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum RateSource implements Value {
    ADDRESS, FALLBACK,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static RateSource of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Jurisdiction extends Model {
    public Jurisdiction(Map<String, ?> fields) { super(fields); }
    public String name() { return required("name", Model::asText); }
    public String rate() { return required("rate", Model::asText); }
  }
}
