// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Password reset completion. */
public final class PasswordResetCompletion extends Model {
  public PasswordResetCompletion() {}
  public PasswordResetCompletion(Map<String, ?> fields) { super(fields); }
  public String secret() { return required("secret", Model::asText); }
  public String newPassword() { return required("newPassword", Model::asText); }
  public PasswordResetCompletion secret(String secret) { set("secret", secret); return this; }
  public PasswordResetCompletion newPassword(String newPassword) { set("newPassword", newPassword); return this; }
}
