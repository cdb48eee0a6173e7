// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Dispute list. */
public final class DisputeList extends Page<ListedDispute> {
  public DisputeList(Map<String, ?> fields) { super(fields); }
  @Override public List<ListedDispute> items() { return disputes(); }
  public List<ListedDispute> disputes() { return list("disputes", object(ListedDispute::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
