// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plan change preview. */
public final class PlanChangePreview extends Model {
  public PlanChangePreview(Map<String, ?> fields) { super(fields); }
  public Instant effectiveAt() { return required("effectiveAt", Model::asInstant); }
  public String currency() { return required("currency", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public List<InvoiceLine> lines() { return list("lines", object(InvoiceLine::new)); }
  public long creditGranted() { return required("creditGranted", Model::asLong); }
  public long creditBalance() { return required("creditBalance", Model::asLong); }
  public Optional<InvoiceTax> tax() { return optional("tax", object(InvoiceTax::new)); }
}
