// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refund request. */
public final class RefundRequest extends Model {
  public RefundRequest() {}
  public RefundRequest(Map<String, ?> fields) { super(fields); }
  public Optional<Long> amount() { return optional("amount", Model::asLong); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public RefundRequest amount(long amount) { set("amount", amount); return this; }
  public RefundRequest reason(String reason) { set("reason", reason); return this; }
}
