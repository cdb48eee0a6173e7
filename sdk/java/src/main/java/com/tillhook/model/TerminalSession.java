// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Terminal session. */
public final class TerminalSession extends Model {
  public TerminalSession(Map<String, ?> fields) { super(fields); }
  public String sessionToken() { return required("sessionToken", Model::asText); }
  public BusinessUser user() { return required("user", object(BusinessUser::new)); }
  public Instant expiresAt() { return required("expiresAt", Model::asInstant); }
}
