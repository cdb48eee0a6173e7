// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Named subscription. */
public final class NamedSubscription extends Model {
  public NamedSubscription(Map<String, ?> fields) { super(fields); }
  public String subscriptionId() { return required("subscriptionId", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String planId() { return required("planId", Model::asText); }
  public String bundleId() { return required("bundleId", Model::asText); }
  public Phase phase() { return required("phase", Phase::of); }
  public Status status() { return required("status", Status::of); }
  public Instant startAt() { return required("startAt", Model::asInstant); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public Optional<Instant> trialEndAt() { return optional("trialEndAt", Model::asInstant); }
  public Instant currentPeriodStart() { return required("currentPeriodStart", Model::asInstant); }
  public Instant currentPeriodEnd() { return required("currentPeriodEnd", Model::asInstant); }
  public Optional<Instant> nextChargeAt() { return optional("nextChargeAt", Model::asInstant); }
  public Optional<Instant> cancelAt() { return optional("cancelAt", Model::asInstant); }
  public Optional<Instant> endedAt() { return optional("endedAt", Model::asInstant); }
  public Optional<EndReason> endReason() { return optional("endReason", EndReason::of); }
  public PaymentStatus paymentStatus() { return required("paymentStatus", PaymentStatus::of); }
  public Optional<String> pendingPlanId() { return optional("pendingPlanId", Model::asText); }
  public Optional<String> actionUrl() { return optional("actionUrl", Model::asText); }
  public String appName() { return required("appName", Model::asText); }
  public String businessName() { return required("businessName", Model::asText); }
  public String planName() { return required("planName", Model::asText); }
  public MerchantType merchantType() { return required("merchantType", MerchantType::of); }
  public String currency() { return required("currency", Model::asText); }
  public long amount() { return required("amount", Model::asLong); }
  public enum Phase implements Value {
    TRIAL, FULL,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Phase of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    PENDING, ACTIVE, ENDED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum EndReason implements Value {
    CANCELLED, DISPUTED, NON_PAYMENT, NOT_STARTED, OPERATOR,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EndReason of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum PaymentStatus implements Value {
    CURRENT, PAST_DUE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static PaymentStatus of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
