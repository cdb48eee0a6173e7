// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Order. */
public final class Order extends Model {
  public Order(Map<String, ?> fields) { super(fields); }
  public String orderId() { return required("orderId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String storeId() { return required("storeId", Model::asText); }
  public String deviceId() { return required("deviceId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<Long> amount() { return optional("amount", Model::asLong); }
  public Optional<String> currency() { return optional("currency", Model::asText); }
  public Optional<String> reference() { return optional("reference", Model::asText); }
  public Optional<String> note() { return optional("note", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum Status implements Value {
    OPENED, COMPLETED, CANCELLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
