// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Link. */
public final class Link extends Model {
  public Link(Map<String, ?> fields) { super(fields); }
  public String href() { return required("href", Model::asText); }
  public String rel() { return required("rel", Model::asText); }
  public String method() { return required("method", Model::asText); }
}
