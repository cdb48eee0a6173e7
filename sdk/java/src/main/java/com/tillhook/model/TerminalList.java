// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Terminal list. */
public final class TerminalList extends Page<Terminal> {
  public TerminalList(Map<String, ?> fields) { super(fields); }
  @Override public List<Terminal> items() { return terminals(); }
  public List<Terminal> terminals() { return list("terminals", object(Terminal::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
