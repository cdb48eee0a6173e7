// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test clock request. */
public final class TestClockRequest extends Model {
  public TestClockRequest() {}
  public TestClockRequest(Map<String, ?> fields) { super(fields); }
  public String businessId() { return required("businessId", Model::asText); }
  public Instant now() { return required("now", Model::asInstant); }
  public TestClockRequest businessId(String businessId) { set("businessId", businessId); return this; }
  public TestClockRequest now(Instant now) { set("now", now); return this; }
}
