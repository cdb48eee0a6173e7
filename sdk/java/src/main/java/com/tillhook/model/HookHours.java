// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hook hours. */
public final class HookHours extends Model {
  public HookHours(Map<String, ?> fields) { super(fields); }
  public String hookId() { return required("hookId", Model::asText); }
  public List<Hour> hours() { return list("hours", object(Hour::new)); }
  public static final class Hour extends Model {
    public Hour(Map<String, ?> fields) { super(fields); }
    public Instant hour() { return required("hour", Model::asInstant); }
    public long acknowledged() { return required("acknowledged", Model::asLong); }
    public List<Failed> failed() { return list("failed", object(Failed::new)); }
    public long p50Ms() { return required("p50Ms", Model::asLong); }
    public long p95Ms() { return required("p95Ms", Model::asLong); }
    public static final class Failed extends Model {
      public Failed(Map<String, ?> fields) { super(fields); }
      public String outcome() { return required("outcome", Model::asText); }
      public long attempts() { return required("attempts", Model::asLong); }
    }
  }
}
