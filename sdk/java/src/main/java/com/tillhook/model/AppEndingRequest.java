// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App ending request. */
public final class AppEndingRequest extends Model {
  public AppEndingRequest() {}
  public AppEndingRequest(Map<String, ?> fields) { super(fields); }
  public boolean refundUnused() { return required("refundUnused", Model::asBoolean); }
  public AppEndingRequest refundUnused(boolean refundUnused) { set("refundUnused", refundUnused); return this; }
}
