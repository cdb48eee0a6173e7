// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks. */
public final class Checks extends Model {
  public Checks(Map<String, ?> fields) { super(fields); }
  public Instant checkedAt() { return required("checkedAt", Model::asInstant); }
  public List<Check> checks() { return list("checks", object(Check::new)); }
  public static final class Check extends Model {
    public Check(Map<String, ?> fields) { super(fields); }
    public CheckValue check() { return required("check", CheckValue::of); }
    public String rule() { return required("rule", Model::asText); }
    public Status status() { return required("status", Status::of); }
    public List<Violation> violations() { return list("violations", object(Violation::new)); }
    public enum CheckValue implements Value {
      PERIODS_CONTIGUOUS("periodsContiguous"), PERIODS_BILLED("periodsBilled"), CHARGED_ONCE("chargedOnce"), ONE_CHARGE_OBJECT("oneChargeObject"), GATEWAY_MATCHES("gatewayMatches"), CHARGED_IN_TIME("chargedInTime"), LEDGER_BALANCES("ledgerBalances"), TOTALS_MATCH("totalsMatch"), REVENUE_MATCHES("revenueMatches"), REVENUE_DAYS_MATCH("revenueDaysMatch"), REVENUE_COUNTRIES_MATCH("revenueCountriesMatch"), SHARE_RETURNED("shareReturned"), TAX_MATCHES("taxMatches"), TAX_TOTALS_MATCH("taxTotalsMatch"), LINES_ADD_UP("linesAddUp"), CREDIT_MATCHES("creditMatches"), CREDIT_WITHIN_PAID("creditWithinPaid"), MONEY_MATCHES("moneyMatches"), REFUNDS_WITHIN_PAID("refundsWithinPaid"), DISPUTES_MATCH("disputesMatch"), NUMBERS_WITHOUT_GAP("numbersWithoutGap"), EVENTS_ONCE("eventsOnce"), EVENTS_COMPLETE("eventsComplete"), EVENTS_IN_ORDER("eventsInOrder"), EVERYTHING_SCHEDULED("everythingScheduled"), NOTHING_OVERDUE("nothingOverdue"),
      /** A value that is newer than this SDK. */
      UNRECOGNIZED("UNRECOGNIZED");

      private final String value;
      CheckValue(String value) { this.value = value; }
      @Override public String value() { return value; }
      static CheckValue of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public enum Status implements Value {
      PASSED, VIOLATED, UNKNOWN,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public static final class Violation extends Model {
      public Violation(Map<String, ?> fields) { super(fields); }
      public String id() { return required("id", Model::asText); }
      public String problem() { return required("problem", Model::asText); }
    }
  }
}
