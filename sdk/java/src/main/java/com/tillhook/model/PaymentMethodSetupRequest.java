// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payment method setup request. */
public final class PaymentMethodSetupRequest extends Model {
  public PaymentMethodSetupRequest() {}
  public PaymentMethodSetupRequest(Map<String, ?> fields) { super(fields); }
  public Gateway gateway() { return required("gateway", Gateway::of); }
  public PaymentMethodSetupRequest gateway(Gateway gateway) { set("gateway", gateway); return this; }
  public enum Gateway implements Value {
    SANDBOX("sandbox"), STRIPE("stripe"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Gateway(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Gateway of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
