// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Approval. */
public final class Approval extends Model {
  public Approval(Map<String, ?> fields) { super(fields); }
  public String appId() { return required("appId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public List<Right> rights() { return list("rights", Right::of); }
  public Instant approvedAt() { return required("approvedAt", Model::asInstant); }
  public enum Right implements Value {
    READ, SUBSCRIBE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Right of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
