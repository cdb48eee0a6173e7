// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Readiness. */
public final class Readiness extends Model {
  public Readiness(Map<String, ?> fields) { super(fields); }
  public Status status() { return required("status", Status::of); }
  public enum Status implements Value {
    READY("ready"), DATABASE_DOWN("database_down"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Status(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
