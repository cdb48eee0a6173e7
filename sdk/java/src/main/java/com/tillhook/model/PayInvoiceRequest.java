// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pay invoice request. */
public final class PayInvoiceRequest extends Model {
  public PayInvoiceRequest() {}
  public PayInvoiceRequest(Map<String, ?> fields) { super(fields); }
  public Optional<String> paymentMethodId() { return optional("paymentMethodId", Model::asText); }
  public PayInvoiceRequest paymentMethodId(String paymentMethodId) { set("paymentMethodId", paymentMethodId); return this; }
}
