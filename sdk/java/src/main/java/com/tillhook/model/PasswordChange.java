// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Password change. */
public final class PasswordChange extends Model {
  public PasswordChange() {}
  public PasswordChange(Map<String, ?> fields) { super(fields); }
  public String password() { return required("password", Model::asText); }
  public String newPassword() { return required("newPassword", Model::asText); }
  public PasswordChange password(String password) { set("password", password); return this; }
  public PasswordChange newPassword(String newPassword) { set("newPassword", newPassword); return this; }
}
