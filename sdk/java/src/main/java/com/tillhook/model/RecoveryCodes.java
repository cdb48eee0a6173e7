// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Recovery codes. */
public final class RecoveryCodes extends Model {
  public RecoveryCodes(Map<String, ?> fields) { super(fields); }
  public List<String> recoveryCodes() { return list("recoveryCodes", Model::asText); }
}
