// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Store request. */
public final class StoreRequest extends Model {
  public StoreRequest() {}
  public StoreRequest(Map<String, ?> fields) { super(fields); }
  public String displayName() { return required("displayName", Model::asText); }
  public StoreRequest displayName(String displayName) { set("displayName", displayName); return this; }
}
