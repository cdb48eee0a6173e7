// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Subscription list. */
public final class SubscriptionList extends Page<NamedSubscription> {
  public SubscriptionList(Map<String, ?> fields) { super(fields); }
  @Override public List<NamedSubscription> items() { return subscriptions(); }
  public List<NamedSubscription> subscriptions() { return list("subscriptions", object(NamedSubscription::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
