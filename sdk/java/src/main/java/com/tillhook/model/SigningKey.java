// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signing key. */
public final class SigningKey extends Model {
  public SigningKey(Map<String, ?> fields) { super(fields); }
  public String kid() { return required("kid", Model::asText); }
}
