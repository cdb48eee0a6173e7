// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payout request. */
public final class PayoutRequest extends Model {
  public PayoutRequest() {}
  public PayoutRequest(Map<String, ?> fields) { super(fields); }
  public long amount() { return required("amount", Model::asLong); }
  public String currency() { return required("currency", Model::asText); }
  public String reference() { return required("reference", Model::asText); }
  public PayoutRequest amount(long amount) { set("amount", amount); return this; }
  public PayoutRequest currency(String currency) { set("currency", currency); return this; }
  public PayoutRequest reference(String reference) { set("reference", reference); return this; }
}
