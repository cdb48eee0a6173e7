// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Password reset request. */
public final class PasswordResetRequest extends Model {
  public PasswordResetRequest() {}
  public PasswordResetRequest(Map<String, ?> fields) { super(fields); }
  public String email() { return required("email", Model::asText); }
  public PasswordResetRequest email(String email) { set("email", email); return this; }
}
