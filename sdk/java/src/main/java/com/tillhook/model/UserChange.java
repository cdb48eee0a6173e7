// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** User change. */
public final class UserChange extends Model {
  public UserChange() {}
  public UserChange(Map<String, ?> fields) { super(fields); }
  public Status status() { return required("status", Status::of); }
  public Optional<Boolean> force() { return optional("force", Model::asBoolean); }
  public UserChange status(Status status) { set("status", status); return this; }
  public UserChange force(boolean force) { set("force", force); return this; }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
