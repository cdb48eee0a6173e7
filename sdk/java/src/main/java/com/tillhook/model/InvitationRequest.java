// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invitation request. */
public final class InvitationRequest extends Model {
  public InvitationRequest() {}
  public InvitationRequest(Map<String, ?> fields) { super(fields); }
  public Kind kind() { return required("kind", Kind::of); }
  public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public Role role() { return required("role", Role::of); }
  public InvitationRequest kind(Kind kind) { set("kind", kind); return this; }
  public InvitationRequest organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public InvitationRequest businessId(String businessId) { set("businessId", businessId); return this; }
  public InvitationRequest email(String email) { set("email", email); return this; }
  public InvitationRequest role(Role role) { set("role", role); return this; }
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
