// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Second factor confirmation. */
public final class SecondFactorConfirmation extends Model {
  public SecondFactorConfirmation() {}
  public SecondFactorConfirmation(Map<String, ?> fields) { super(fields); }
  public String totp() { return required("totp", Model::asText); }
  public SecondFactorConfirmation totp(String totp) { set("totp", totp); return this; }
}
