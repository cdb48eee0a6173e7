// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business user. */
public final class BusinessUser extends Model {
  public BusinessUser(Map<String, ?> fields) { super(fields); }
  public String businessUserId() { return required("businessUserId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String userId() { return required("userId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public Role role() { return required("role", Role::of); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Role implements Value {
    MANAGER, CLERK,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Role of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
