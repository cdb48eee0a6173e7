// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plan. */
public final class Plan extends Model {
  public Plan(Map<String, ?> fields) { super(fields); }
  public String planId() { return required("planId", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String description() { return required("description", Model::asText); }
  public List<Amount> amounts() { return list("amounts", object(Amount::new)); }
  public long amount() { return required("amount", Model::asLong); }
  public Interval interval() { return required("interval", Interval::of); }
  public long intervalCount() { return required("intervalCount", Model::asLong); }
  public long trialPeriodDays() { return required("trialPeriodDays", Model::asLong); }
  public TrialEligibility trialEligibility() { return required("trialEligibility", TrialEligibility::of); }
  public StartPolicy startPolicy() { return required("startPolicy", StartPolicy::of); }
  public CancelPolicy cancelPolicy() { return required("cancelPolicy", CancelPolicy::of); }
  public long gracePeriodDays() { return required("gracePeriodDays", Model::asLong); }
  public Scope scope() { return required("scope", Scope::of); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public static final class Amount extends Model {
    public Amount(Map<String, ?> fields) { super(fields); }
    public String country() { return required("country", Model::asText); }
    public String currency() { return required("currency", Model::asText); }
    public long value() { return required("value", Model::asLong); }
  }
  public enum Interval implements Value {
    DAY, WEEK, MONTH, YEAR,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Interval of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum TrialEligibility implements Value {
    ALWAYS, ONCE_PER_BUSINESS,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static TrialEligibility of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum StartPolicy implements Value {
    IMMEDIATE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static StartPolicy of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum CancelPolicy implements Value {
    IMMEDIATE, BILLING,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static CancelPolicy of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Scope implements Value {
    BUSINESS, STORE, DEVICE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Scope of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    INACTIVE, ACTIVE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
