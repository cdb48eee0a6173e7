// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Second factor. */
public final class SecondFactor extends Model {
  public SecondFactor(Map<String, ?> fields) { super(fields); }
  public String secret() { return required("secret", Model::asText); }
  public String otpauthUri() { return required("otpauthUri", Model::asText); }
  public String qrCode() { return required("qrCode", Model::asText); }
}
