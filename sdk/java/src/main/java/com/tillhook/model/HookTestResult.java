// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hook test result. */
public final class HookTestResult extends Model {
  public HookTestResult(Map<String, ?> fields) { super(fields); }
  public String deliveryId() { return required("deliveryId", Model::asText); }
  public boolean acknowledged() { return required("acknowledged", Model::asBoolean); }
  public Instant at() { return required("at", Model::asInstant); }
  public long durationMs() { return required("durationMs", Model::asLong); }
  public Optional<Long> httpStatus() { return optional("httpStatus", Model::asLong); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public String answer() { return required("answer", Model::asText); }
}
