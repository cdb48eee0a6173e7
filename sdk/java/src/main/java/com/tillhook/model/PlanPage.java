// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plan page. */
public final class PlanPage extends Page<Plan> {
  public PlanPage(Map<String, ?> fields) { super(fields); }
  @Override public List<Plan> items() { return list(); }
  public List<Plan> list() { return list("list", object(Plan::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
}
