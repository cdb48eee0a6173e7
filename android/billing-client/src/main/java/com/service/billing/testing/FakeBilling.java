package com.service.billing.testing;

import android.app.Activity;
import android.content.Intent;
import com.service.billing.Billing;
import com.service.billing.BillingException;
import com.service.billing.Plan;
import com.service.billing.PurchaseRequest;
import com.service.billing.Subscriptions;
import com.service.store.ServiceError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Billing without a terminal, for an app's own tests. Futures are complete when they are returned. */
public final class FakeBilling implements Billing {
    private final List<Plan> plans = new ArrayList<>();
    private final JSONArray subscriptions = new JSONArray();
    private boolean isStale;
    private ServiceError failure;
    private String confirming;

    public FakeBilling addPlan(String planId, String name, long amount, String currency) {
        try {
            JSONObject price = new JSONObject().put("country", "US").put("currency", currency).put("value", amount);
            plans.add(new Plan(new JSONObject().put("planId", planId).put("name", name).put("description", "")
                    .put("interval", "MONTH").put("scope", "BUSINESS").put("amount", amount)
                    .put("amounts", new JSONArray().put(price))));
        } catch (JSONException e) {
            throw new IllegalArgumentException(e);
        }
        return this;
    }

    public FakeBilling addSubscription(String planId) {
        try {
            subscriptions.put(new JSONObject().put("subscriptionId", "00000000-0000-4000-8000-00000000000" + subscriptions.length())
                    .put("planId", planId).put("phase", "FULL").put("status", "ACTIVE").put("startAt", "2026-01-01T00:00:00Z"));
        } catch (JSONException e) {
            throw new IllegalArgumentException(e);
        }
        return this;
    }

    /** The terminal has no connection: the list is the last known one. */
    public FakeBilling stale() {
        isStale = true;
        return this;
    }

    /** Every call fails with this code from now on; null ends it. */
    public FakeBilling failWith(String code) {
        failure = code == null ? null : new ServiceError(code, "It failed.", "FakeBilling.failWith", "fake");
        return this;
    }

    @Override
    public CompletableFuture<Subscriptions> getSubscriptions() {
        if (failure != null) return failed();
        try {
            JSONObject envelope = new JSONObject().put("list", new JSONArray(subscriptions.toString())).put("start", 0)
                    .put("total", subscriptions.length()).put("count", subscriptions.length());
            if (isStale) envelope.put("stale", true).put("staleSince", "2026-01-01T00:00:00Z");
            return CompletableFuture.completedFuture(new Subscriptions(envelope));
        } catch (JSONException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public CompletableFuture<List<Plan>> getPlans() {
        if (failure != null) return failed();
        List<Plan> copy = new ArrayList<>(plans);
        return CompletableFuture.completedFuture(copy);
    }

    @Override
    public CompletableFuture<Void> startPurchase(Activity activity, PurchaseRequest purchase, int requestCode) {
        if (failure != null) return failed();
        confirming = purchase.toExtras().getString("plan_id");
        return CompletableFuture.completedFuture(null);
    }

    /** RESULT_OK adds the subscription that the last purchase asked for. */
    @Override
    public CompletableFuture<Subscriptions> onPurchaseResult(int resultCode, Intent data) {
        if (resultCode == Activity.RESULT_OK && confirming != null) addSubscription(confirming);
        confirming = null;
        return getSubscriptions();
    }

    @Override
    public void close() {}

    private <T> CompletableFuture<T> failed() {
        CompletableFuture<T> future = new CompletableFuture<>();
        future.completeExceptionally(new BillingException(failure));
        return future;
    }
}
