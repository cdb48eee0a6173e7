// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Purchase request. */
public final class PurchaseRequest extends Model {
  public PurchaseRequest() {}
  public PurchaseRequest(Map<String, ?> fields) { super(fields); }
  public Optional<String> planId() { return optional("planId", Model::asText); }
  public Optional<Boolean> replace() { return optional("replace", Model::asBoolean); }
  public Optional<Boolean> restore() { return optional("restore", Model::asBoolean); }
  public Optional<String> subscriptionId() { return optional("subscriptionId", Model::asText); }
  public PurchaseRequest planId(String planId) { set("planId", planId); return this; }
  public PurchaseRequest replace(boolean replace) { set("replace", replace); return this; }
  public PurchaseRequest restore(boolean restore) { set("restore", restore); return this; }
  public PurchaseRequest subscriptionId(String subscriptionId) { set("subscriptionId", subscriptionId); return this; }
}
