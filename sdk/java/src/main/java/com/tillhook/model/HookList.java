// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hook list. */
public final class HookList extends Page<Hook> {
  public HookList(Map<String, ?> fields) { super(fields); }
  @Override public List<Hook> items() { return hooks(); }
  public List<Hook> hooks() { return list("hooks", object(Hook::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
