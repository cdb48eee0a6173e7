// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sign in. */
public final class SignIn extends Model {
  public SignIn() {}
  public SignIn(Map<String, ?> fields) { super(fields); }
  public String email() { return required("email", Model::asText); }
  public String password() { return required("password", Model::asText); }
  public Optional<String> totp() { return optional("totp", Model::asText); }
  public Optional<String> recoveryCode() { return optional("recoveryCode", Model::asText); }
  public Optional<String> membershipId() { return optional("membershipId", Model::asText); }
  public SignIn email(String email) { set("email", email); return this; }
  public SignIn password(String password) { set("password", password); return this; }
  public SignIn totp(String totp) { set("totp", totp); return this; }
  public SignIn recoveryCode(String recoveryCode) { set("recoveryCode", recoveryCode); return this; }
  public SignIn membershipId(String membershipId) { set("membershipId", membershipId); return this; }
}
