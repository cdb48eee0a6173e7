// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rotate secret request. */
public final class RotateSecretRequest extends Model {
  public RotateSecretRequest() {}
  public RotateSecretRequest(Map<String, ?> fields) { super(fields); }
  public Optional<String> secret() { return optional("secret", Model::asText); }
  public RotateSecretRequest secret(String secret) { set("secret", secret); return this; }
}
