// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Terminal. */
public final class Terminal extends Model {
  public Terminal(Map<String, ?> fields) { super(fields); }
  public String deviceId() { return required("deviceId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String businessName() { return required("businessName", Model::asText); }
  public MerchantType merchantType() { return required("merchantType", MerchantType::of); }
  public String storeId() { return required("storeId", Model::asText); }
  public String storeName() { return required("storeName", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String serialNumber() { return required("serialNumber", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<Instant> lastSeenAt() { return optional("lastSeenAt", Model::asInstant); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    NEW, ACTIVE, CLOSED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
