// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax report. */
public final class TaxReport extends Model {
  public TaxReport(Map<String, ?> fields) { super(fields); }
  public String month() { return required("month", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public List<Provider> provider() { return list("provider", object(Provider::new)); }
  public enum Status implements Value {
    OPEN, CLOSED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String country() { return required("country", Model::asText); }
    public String currency() { return required("currency", Model::asText); }
    public String name() { return required("name", Model::asText); }
    public String rate() { return required("rate", Model::asText); }
    public boolean reverseCharge() { return required("reverseCharge", Model::asBoolean); }
    public long net() { return required("net", Model::asLong); }
    public long collected() { return required("collected", Model::asLong); }
    public long returned() { return required("returned", Model::asLong); }
    public long tax() { return required("tax", Model::asLong); }
  }
  public static final class Provider extends Model {
    public Provider(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public long recorded() { return required("recorded", Model::asLong); }
    public long waiting() { return required("waiting", Model::asLong); }
    public long tax() { return required("tax", Model::asLong); }
    public long providerTax() { return required("providerTax", Model::asLong); }
    public long difference() { return required("difference", Model::asLong); }
  }
}
