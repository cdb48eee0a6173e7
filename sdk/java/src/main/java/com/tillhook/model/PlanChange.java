// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plan change. */
public final class PlanChange extends Model {
  public PlanChange() {}
  public PlanChange(Map<String, ?> fields) { super(fields); }
  public String planId() { return required("planId", Model::asText); }
  public When when() { return required("when", When::of); }
  public PlanChange planId(String planId) { set("planId", planId); return this; }
  public PlanChange when(When when) { set("when", when); return this; }
  public enum When implements Value {
    NOW, PERIOD_END,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static When of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
