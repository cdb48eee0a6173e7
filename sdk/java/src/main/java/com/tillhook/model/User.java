// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** User. */
public final class User extends Model {
  public User(Map<String, ?> fields) { super(fields); }
  public String userId() { return required("userId", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
