// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Subscription page. */
public final class SubscriptionPage extends Page<Subscription> {
  public SubscriptionPage(Map<String, ?> fields) { super(fields); }
  @Override public List<Subscription> items() { return list(); }
  public List<Subscription> list() { return list("list", object(Subscription::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
  public Optional<String> next() { return optional("next", Model::asText); }
}
