// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statement. */
public final class Statement extends Model {
  public Statement(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String month() { return required("month", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public enum Status implements Value {
    OPEN, CLOSED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long charged() { return required("charged", Model::asLong); }
    public long refunds() { return required("refunds", Model::asLong); }
    public long refunded() { return required("refunded", Model::asLong); }
    public long chargedBack() { return required("chargedBack", Model::asLong); }
    public long share() { return required("share", Model::asLong); }
    public long credited() { return required("credited", Model::asLong); }
    public Optional<Long> tax() { return optional("tax", Model::asLong); }
    public Optional<Long> fees() { return optional("fees", Model::asLong); }
    public Optional<Long> paidOut() { return optional("paidOut", Model::asLong); }
    public Optional<Long> adjusted() { return optional("adjusted", Model::asLong); }
    public long opening() { return required("opening", Model::asLong); }
    public long net() { return required("net", Model::asLong); }
    public long closing() { return required("closing", Model::asLong); }
    public List<Line> lines() { return list("lines", object(Line::new)); }
    public static final class Line extends Model {
      public Line(Map<String, ?> fields) { super(fields); }
      public String appId() { return required("appId", Model::asText); }
      public String appName() { return required("appName", Model::asText); }
      public String planId() { return required("planId", Model::asText); }
      public String planName() { return required("planName", Model::asText); }
      public String currency() { return required("currency", Model::asText); }
      public long charges() { return required("charges", Model::asLong); }
      public long charged() { return required("charged", Model::asLong); }
      public long refunds() { return required("refunds", Model::asLong); }
      public long refunded() { return required("refunded", Model::asLong); }
      public long chargedBack() { return required("chargedBack", Model::asLong); }
      public long share() { return required("share", Model::asLong); }
      public long credited() { return required("credited", Model::asLong); }
      public Optional<Long> tax() { return optional("tax", Model::asLong); }
      public long net() { return required("net", Model::asLong); }
    }
  }
}
