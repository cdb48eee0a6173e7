package com.service.billing;

import java.math.BigDecimal;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Interface, Plan. */
public final class Plan {
    public final String planId;
    public final String name;
    public final String description;
    /** DAY, WEEK, MONTH or YEAR; more may come. */
    public final String interval;
    public final int intervalCount;
    public final int trialPeriodDays;
    /** BUSINESS, STORE or DEVICE. */
    public final String scope;
    /** In the minor unit of the currency. The price in the merchant's country. */
    public final long amount;
    public final String currency;
    /** The whole record, for fields that this class does not name. */
    public final JSONObject json;

    /** Throws where a field of the interface is missing. */
    public Plan(JSONObject json) throws JSONException {
        this.json = json;
        planId = json.getString("planId");
        name = json.getString("name");
        description = json.optString("description");
        interval = json.getString("interval");
        intervalCount = json.optInt("intervalCount", 1);
        trialPeriodDays = json.optInt("trialPeriodDays");
        scope = json.getString("scope");
        amount = json.getLong("amount");
        currency = currencyOf(json.getJSONArray("amounts"), amount);
    }

    /** Interface, Plan: `amount` equals the value of an Amount entry. */
    private static String currencyOf(JSONArray amounts, long amount) throws JSONException {
        for (int i = 0; i < amounts.length(); i++) {
            if (amounts.getJSONObject(i).getLong("value") == amount) return amounts.getJSONObject(i).getString("currency");
        }
        throw new JSONException("amounts: has no entry for amount");
    }

    /** For people, in the words of their locale: "$5.00". */
    public String price(Locale locale) {
        Currency unit = Currency.getInstance(currency);
        int decimals = Math.max(0, unit.getDefaultFractionDigits());
        NumberFormat format = NumberFormat.getCurrencyInstance(locale);
        format.setCurrency(unit);
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        return format.format(BigDecimal.valueOf(amount, decimals));
    }

    static List<Plan> listOf(JSONObject envelope) throws JSONException {
        JSONArray list = envelope.getJSONArray("list");
        List<Plan> plans = new ArrayList<>();
        for (int i = 0; i < list.length(); i++) plans.add(new Plan(list.getJSONObject(i)));
        return Collections.unmodifiableList(plans);
    }
}
