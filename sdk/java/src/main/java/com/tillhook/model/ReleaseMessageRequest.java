// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Release message request. */
public final class ReleaseMessageRequest extends Model {
  public ReleaseMessageRequest() {}
  public ReleaseMessageRequest(Map<String, ?> fields) { super(fields); }
  public String text() { return required("text", Model::asText); }
  public ReleaseMessageRequest text(String text) { set("text", text); return this; }
}
