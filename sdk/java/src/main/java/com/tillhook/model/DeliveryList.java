// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Delivery list. */
public final class DeliveryList extends Page<DeliverySummary> {
  public DeliveryList(Map<String, ?> fields) { super(fields); }
  @Override public List<DeliverySummary> items() { return deliveries(); }
  public List<DeliverySummary> deliveries() { return list("deliveries", object(DeliverySummary::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
