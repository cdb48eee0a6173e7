// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Release request. */
public final class ReleaseRequest extends Model {
  public ReleaseRequest() {}
  public ReleaseRequest(Map<String, ?> fields) { super(fields); }
  public String version() { return required("version", Model::asText); }
  public List<Plan> plans() { return list("plans", object(Plan::new)); }
  public Optional<String> notes() { return optional("notes", Model::asText); }
  public Optional<PackageKind> packageKind() { return optional("packageKind", PackageKind::of); }
  public ReleaseRequest version(String version) { set("version", version); return this; }
  public ReleaseRequest plans(List<Plan> plans) { set("plans", plans); return this; }
  public ReleaseRequest notes(String notes) { set("notes", notes); return this; }
  public ReleaseRequest packageKind(PackageKind packageKind) { set("packageKind", packageKind); return this; }
  public static final class Plan extends Model {
    public Plan() {}
    public Plan(Map<String, ?> fields) { super(fields); }
    public String name() { return required("name", Model::asText); }
    public List<Amount> amounts() { return list("amounts", object(Amount::new)); }
    public Interval interval() { return required("interval", Interval::of); }
    public Optional<Long> intervalCount() { return optional("intervalCount", Model::asLong); }
    public Scope scope() { return required("scope", Scope::of); }
    public Optional<String> description() { return optional("description", Model::asText); }
    public Optional<Long> trialPeriodDays() { return optional("trialPeriodDays", Model::asLong); }
    public Optional<TrialEligibility> trialEligibility() { return optional("trialEligibility", TrialEligibility::of); }
    public Optional<StartPolicy> startPolicy() { return optional("startPolicy", StartPolicy::of); }
    public Optional<CancelPolicy> cancelPolicy() { return optional("cancelPolicy", CancelPolicy::of); }
    public Optional<Long> gracePeriodDays() { return optional("gracePeriodDays", Model::asLong); }
    public Plan name(String name) { set("name", name); return this; }
    public Plan amounts(List<Amount> amounts) { set("amounts", amounts); return this; }
    public Plan interval(Interval interval) { set("interval", interval); return this; }
    public Plan intervalCount(long intervalCount) { set("intervalCount", intervalCount); return this; }
    public Plan scope(Scope scope) { set("scope", scope); return this; }
    public Plan description(String description) { set("description", description); return this; }
    public Plan trialPeriodDays(long trialPeriodDays) { set("trialPeriodDays", trialPeriodDays); return this; }
    public Plan trialEligibility(TrialEligibility trialEligibility) { set("trialEligibility", trialEligibility); return this; }
    public Plan startPolicy(StartPolicy startPolicy) { set("startPolicy", startPolicy); return this; }
    public Plan cancelPolicy(CancelPolicy cancelPolicy) { set("cancelPolicy", cancelPolicy); return this; }
    public Plan gracePeriodDays(long gracePeriodDays) { set("gracePeriodDays", gracePeriodDays); return this; }
    public static final class Amount extends Model {
      public Amount() {}
      public Amount(Map<String, ?> fields) { super(fields); }
      public String country() { return required("country", Model::asText); }
      public String currency() { return required("currency", Model::asText); }
      public long value() { return required("value", Model::asLong); }
      public Amount country(String country) { set("country", country); return this; }
      public Amount currency(String currency) { set("currency", currency); return this; }
      public Amount value(long value) { set("value", value); return this; }
    }
    public enum Interval implements Value {
      DAY, WEEK, MONTH, YEAR,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Interval of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public enum Scope implements Value {
      BUSINESS, STORE, DEVICE,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Scope of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
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
  }
  public enum PackageKind implements Value {
    APK, OTHER,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static PackageKind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
