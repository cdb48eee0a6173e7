// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Role change. */
public final class RoleChange extends Model {
  public RoleChange() {}
  public RoleChange(Map<String, ?> fields) { super(fields); }
  public Role role() { return required("role", Role::of); }
  public RoleChange role(Role role) { set("role", role); return this; }
  public enum Role implements Value {
    OWNER, ADMIN, MANAGER, MEMBER, VIEWER,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Role of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
