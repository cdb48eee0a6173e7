// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rejection. */
public final class Rejection extends Model {
  public Rejection() {}
  public Rejection(Map<String, ?> fields) { super(fields); }
  public String reason() { return required("reason", Model::asText); }
  public Rejection reason(String reason) { set("reason", reason); return this; }
}
