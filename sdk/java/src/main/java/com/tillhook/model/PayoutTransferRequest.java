// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payout transfer request. */
public final class PayoutTransferRequest extends Model {
  public PayoutTransferRequest() {}
  public PayoutTransferRequest(Map<String, ?> fields) { super(fields); }
  public String month() { return required("month", Model::asText); }
  public String currency() { return required("currency", Model::asText); }
  public PayoutTransferRequest month(String month) { set("month", month); return this; }
  public PayoutTransferRequest currency(String currency) { set("currency", currency); return this; }
}
