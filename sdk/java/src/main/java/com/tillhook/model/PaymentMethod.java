// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payment method. */
public final class PaymentMethod extends Model {
  public PaymentMethod(Map<String, ?> fields) { super(fields); }
  public String paymentMethodId() { return required("paymentMethodId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public Gateway gateway() { return required("gateway", Gateway::of); }
  public String label() { return required("label", Model::asText); }
  public Optional<Card> card() { return optional("card", object(Card::new)); }
  public boolean default_() { return required("default", Model::asBoolean); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public enum Gateway implements Value {
    SANDBOX("sandbox"), STRIPE("stripe"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Gateway(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Gateway of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Card extends Model {
    public Card(Map<String, ?> fields) { super(fields); }
    public String brand() { return required("brand", Model::asText); }
    public String last4() { return required("last4", Model::asText); }
    public String expires() { return required("expires", Model::asText); }
  }
}
