// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Either {@link Subscription} or {@link Purchase}. */
public final class SubscriptionOrPurchase extends Model {
  public SubscriptionOrPurchase(Map<String, ?> fields) { super(fields); }
  /** The Subscription, if this is one. */
  public Optional<Subscription> asSubscription() { return has("bundleId") ? Optional.of(new Subscription(toMap())) : Optional.empty(); }
  /** The Purchase, if this is one. */
  public Optional<Purchase> asPurchase() { return has("purchaseId") ? Optional.of(new Purchase(toMap())) : Optional.empty(); }
}
