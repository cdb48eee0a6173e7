// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App key. */
public final class AppKey extends Model {
  public AppKey(Map<String, ?> fields) { super(fields); }
  public String kid() { return required("kid", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Optional<String> privateKey() { return optional("privateKey", Model::asText); }
}
