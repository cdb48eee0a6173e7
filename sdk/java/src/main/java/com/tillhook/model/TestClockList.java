// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test clock list. */
public final class TestClockList extends Model {
  public TestClockList(Map<String, ?> fields) { super(fields); }
  public List<TestClock> list() { return list("list", object(TestClock::new)); }
}
