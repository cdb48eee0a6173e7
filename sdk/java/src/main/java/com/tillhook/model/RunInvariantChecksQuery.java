// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check". */
public final class RunInvariantChecksQuery extends Query {
  public RunInvariantChecksQuery check(Check check) { set("check", check); return this; }
  public enum Check implements Value {
    PERIODS_CONTIGUOUS("periodsContiguous"), PERIODS_BILLED("periodsBilled"), CHARGED_ONCE("chargedOnce"), ONE_CHARGE_OBJECT("oneChargeObject"), GATEWAY_MATCHES("gatewayMatches"), CHARGED_IN_TIME("chargedInTime"), LEDGER_BALANCES("ledgerBalances"), TOTALS_MATCH("totalsMatch"), REVENUE_MATCHES("revenueMatches"), REVENUE_DAYS_MATCH("revenueDaysMatch"), REVENUE_COUNTRIES_MATCH("revenueCountriesMatch"), SHARE_RETURNED("shareReturned"), TAX_MATCHES("taxMatches"), TAX_TOTALS_MATCH("taxTotalsMatch"), LINES_ADD_UP("linesAddUp"), CREDIT_MATCHES("creditMatches"), CREDIT_WITHIN_PAID("creditWithinPaid"), MONEY_MATCHES("moneyMatches"), REFUNDS_WITHIN_PAID("refundsWithinPaid"), DISPUTES_MATCH("disputesMatch"), NUMBERS_WITHOUT_GAP("numbersWithoutGap"), EVENTS_ONCE("eventsOnce"), EVENTS_COMPLETE("eventsComplete"), EVENTS_IN_ORDER("eventsInOrder"), EVERYTHING_SCHEDULED("everythingScheduled"), NOTHING_OVERDUE("nothingOverdue"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Check(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Check of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
