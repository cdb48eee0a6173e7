// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business user changes. */
public final class BusinessUserChanges extends Model {
  public BusinessUserChanges() {}
  public BusinessUserChanges(Map<String, ?> fields) { super(fields); }
  public Optional<String> passcode() { return optional("passcode", Model::asText); }
  public Optional<String> name() { return optional("name", Model::asText); }
  public Optional<Role> role() { return optional("role", Role::of); }
  public Optional<Status> status() { return optional("status", Status::of); }
  public BusinessUserChanges passcode(String passcode) { set("passcode", passcode); return this; }
  public BusinessUserChanges name(String name) { set("name", name); return this; }
  public BusinessUserChanges role(Role role) { set("role", role); return this; }
  public BusinessUserChanges status(Status status) { set("status", status); return this; }
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
