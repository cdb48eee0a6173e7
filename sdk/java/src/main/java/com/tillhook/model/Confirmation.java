// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Confirmation. */
public final class Confirmation extends Model {
  public Confirmation() {}
  public Confirmation(Map<String, ?> fields) { super(fields); }
  public String password() { return required("password", Model::asText); }
  public Optional<String> totp() { return optional("totp", Model::asText); }
  public Optional<String> recoveryCode() { return optional("recoveryCode", Model::asText); }
  public Confirmation password(String password) { set("password", password); return this; }
  public Confirmation totp(String totp) { set("totp", totp); return this; }
  public Confirmation recoveryCode(String recoveryCode) { set("recoveryCode", recoveryCode); return this; }
}
