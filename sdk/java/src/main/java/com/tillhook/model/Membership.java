// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Membership. */
public final class Membership extends Model {
  public Membership(Map<String, ?> fields) { super(fields); }
  public String membershipId() { return required("membershipId", Model::asText); }
  public Kind kind() { return required("kind", Kind::of); }
  public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public Optional<String> workspaceName() { return optional("workspaceName", Model::asText); }
  public Role role() { return required("role", Role::of); }
  public enum Kind implements Value {
    MERCHANT, DEVELOPER, OPERATOR,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Role implements Value {
    OWNER, ADMIN, MANAGER, MEMBER, VIEWER,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Role of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
