// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Person. */
public final class Person extends Model {
  public Person(Map<String, ?> fields) { super(fields); }
  public String membershipId() { return required("membershipId", Model::asText); }
  public String userId() { return required("userId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Role role() { return required("role", Role::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Role implements Value {
    OWNER, ADMIN, MANAGER, MEMBER, VIEWER,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Role of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
