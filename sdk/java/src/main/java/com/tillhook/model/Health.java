// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Health. */
public final class Health extends Model {
  public Health(Map<String, ?> fields) { super(fields); }
  public Status status() { return required("status", Status::of); }
  public String version() { return required("version", Model::asText); }
  public Database database() { return required("database", Database::of); }
  public Optional<Waiting> waiting() { return optional("waiting", object(Waiting::new)); }
  public enum Status implements Value {
    OK("ok"), DEGRADED("degraded"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Status(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Database implements Value {
    UP("up"), DOWN("down"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Database(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Database of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Waiting extends Model {
    public Waiting(Map<String, ?> fields) { super(fields); }
    public Optional<Long> deliveriesDue() { return optional("deliveriesDue", Model::asLong); }
    public Optional<Double> oldestDeliverySeconds() { return optional("oldestDeliverySeconds", Model::asDouble); }
    public long chargesUnsettled() { return required("chargesUnsettled", Model::asLong); }
    public long chargesUnknown() { return required("chargesUnknown", Model::asLong); }
    public long refundsUnsettled() { return required("refundsUnsettled", Model::asLong); }
    public long subscriptionsDue() { return required("subscriptionsDue", Model::asLong); }
    public long quarantined() { return required("quarantined", Model::asLong); }
  }
}
