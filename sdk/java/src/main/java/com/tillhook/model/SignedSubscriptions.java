// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signed subscriptions. */
public final class SignedSubscriptions extends Model {
  public SignedSubscriptions(Map<String, ?> fields) { super(fields); }
  public String jws() { return required("jws", Model::asText); }
  public Instant expiresAt() { return required("expiresAt", Model::asInstant); }
}
