// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opened session. */
public final class OpenedSession extends Model {
  public OpenedSession(Map<String, ?> fields) { super(fields); }
  public String token() { return required("token", Model::asText); }
  public String sessionId() { return required("sessionId", Model::asText); }
  public boolean isCurrent() { return required("isCurrent", Model::asBoolean); }
  public Membership membership() { return required("membership", object(Membership::new)); }
  public boolean isMfaVerified() { return required("isMfaVerified", Model::asBoolean); }
  public String address() { return required("address", Model::asText); }
  public String agent() { return required("agent", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant usedAt() { return required("usedAt", Model::asInstant); }
  public Instant expiresAt() { return required("expiresAt", Model::asInstant); }
  public User user() { return required("user", object(User::new)); }
  public List<Membership> memberships() { return list("memberships", object(Membership::new)); }
  public static final class User extends Model {
    public User(Map<String, ?> fields) { super(fields); }
    public String userId() { return required("userId", Model::asText); }
    public String name() { return required("name", Model::asText); }
    public String email() { return required("email", Model::asText); }
  }
}
