// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Api request. */
public final class ApiRequest extends Model {
  public ApiRequest(Map<String, ?> fields) { super(fields); }
  public Instant at() { return required("at", Model::asInstant); }
  public String requestId() { return required("requestId", Model::asText); }
  public String method() { return required("method", Model::asText); }
  public String route() { return required("route", Model::asText); }
  public long status() { return required("status", Model::asLong); }
  public long durationMs() { return required("durationMs", Model::asLong); }
  public Optional<String> businessId() { return optional("businessId", Model::asText); }
  public Optional<String> businessUserId() { return optional("businessUserId", Model::asText); }
}
