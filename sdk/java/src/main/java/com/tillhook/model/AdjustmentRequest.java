// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adjustment request. */
public final class AdjustmentRequest extends Model {
  public AdjustmentRequest() {}
  public AdjustmentRequest(Map<String, ?> fields) { super(fields); }
  public Kind kind() { return required("kind", Kind::of); }
  public long amount() { return required("amount", Model::asLong); }
  public String currency() { return required("currency", Model::asText); }
  public String reason() { return required("reason", Model::asText); }
  public AdjustmentRequest kind(Kind kind) { set("kind", kind); return this; }
  public AdjustmentRequest amount(long amount) { set("amount", amount); return this; }
  public AdjustmentRequest currency(String currency) { set("currency", currency); return this; }
  public AdjustmentRequest reason(String reason) { set("reason", reason); return this; }
  public enum Kind implements Value {
    FEE, ADJUSTMENT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
