// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Dispute request. */
public final class DisputeRequest extends Model {
  public DisputeRequest() {}
  public DisputeRequest(Map<String, ?> fields) { super(fields); }
  public Status status() { return required("status", Status::of); }
  public DisputeRequest status(Status status) { set("status", status); return this; }
  public enum Status implements Value {
    OPEN, LOST, WON,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
