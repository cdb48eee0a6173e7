// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Listed charge. */
public final class ListedCharge extends Model {
  public ListedCharge(Map<String, ?> fields) { super(fields); }
  public String chargeId() { return required("chargeId", Model::asText); }
  public String invoiceId() { return required("invoiceId", Model::asText); }
  public String invoiceNumber() { return required("invoiceNumber", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String appName() { return required("appName", Model::asText); }
  public String businessName() { return required("businessName", Model::asText); }
  public String subscriptionId() { return required("subscriptionId", Model::asText); }
  public MerchantType merchantType() { return required("merchantType", MerchantType::of); }
  public String currency() { return required("currency", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> reason() { return optional("reason", Model::asText); }
  public Instant startedAt() { return required("startedAt", Model::asInstant); }
  public Optional<Instant> settledAt() { return optional("settledAt", Model::asInstant); }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    IN_FLIGHT, PENDING, ACTION_REQUIRED, UNKNOWN, SUCCEEDED, DECLINED_SOFT, DECLINED_HARD, WITHDRAWN,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
