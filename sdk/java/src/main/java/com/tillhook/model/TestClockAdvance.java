// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test clock advance. */
public final class TestClockAdvance extends Model {
  public TestClockAdvance() {}
  public TestClockAdvance(Map<String, ?> fields) { super(fields); }
  public Instant to() { return required("to", Model::asInstant); }
  public TestClockAdvance to(Instant to) { set("to", to); return this; }
}
