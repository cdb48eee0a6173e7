// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App list. */
public final class AppList extends Page<App> {
  public AppList(Map<String, ?> fields) { super(fields); }
  @Override public List<App> items() { return apps(); }
  public List<App> apps() { return list("apps", object(App::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
