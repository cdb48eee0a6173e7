// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business user request. */
public final class BusinessUserRequest extends Model {
  public BusinessUserRequest() {}
  public BusinessUserRequest(Map<String, ?> fields) { super(fields); }
  public String userId() { return required("userId", Model::asText); }
  public String passcode() { return required("passcode", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public Role role() { return required("role", Role::of); }
  public BusinessUserRequest userId(String userId) { set("userId", userId); return this; }
  public BusinessUserRequest passcode(String passcode) { set("passcode", passcode); return this; }
  public BusinessUserRequest name(String name) { set("name", name); return this; }
  public BusinessUserRequest role(Role role) { set("role", role); return this; }
  public enum Role implements Value {
    MANAGER, CLERK,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Role of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
