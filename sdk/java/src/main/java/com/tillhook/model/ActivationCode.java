// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Activation code. */
public final class ActivationCode extends Model {
  public ActivationCode(Map<String, ?> fields) { super(fields); }
  public String deviceId() { return required("deviceId", Model::asText); }
  public String activationCode() { return required("activationCode", Model::asText); }
  public Instant activationExpiresAt() { return required("activationExpiresAt", Model::asInstant); }
}
