// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Catch up decision. */
public final class CatchUpDecision extends Model {
  public CatchUpDecision() {}
  public CatchUpDecision(Map<String, ?> fields) { super(fields); }
  public Decision decision() { return required("decision", Decision::of); }
  public Optional<Long> spreadDays() { return optional("spreadDays", Model::asLong); }
  public CatchUpDecision decision(Decision decision) { set("decision", decision); return this; }
  public CatchUpDecision spreadDays(long spreadDays) { set("spreadDays", spreadDays); return this; }
  public enum Decision implements Value {
    RELEASE, SPREAD, WAIVE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Decision of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
