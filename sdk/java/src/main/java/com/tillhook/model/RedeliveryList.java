// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redelivery list. */
public final class RedeliveryList extends Page<Redelivery> {
  public RedeliveryList(Map<String, ?> fields) { super(fields); }
  @Override public List<Redelivery> items() { return redeliveries(); }
  public List<Redelivery> redeliveries() { return list("redeliveries", object(Redelivery::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
