// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invitation. */
public final class Invitation extends Model {
  public Invitation(Map<String, ?> fields) { super(fields); }
  public String invitationId() { return required("invitationId", Model::asText); }
  public Kind kind() { return required("kind", Kind::of); }
  public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public Role role() { return required("role", Role::of); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant expiresAt() { return required("expiresAt", Model::asInstant); }
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
  public enum Status implements Value {
    PENDING, ACCEPTED, REVOKED, EXPIRED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
