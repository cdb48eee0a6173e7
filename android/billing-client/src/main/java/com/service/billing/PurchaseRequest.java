package com.service.billing;

import android.os.Bundle;

/** What the merchant is asked to confirm. */
public final class PurchaseRequest {
    private final Bundle extras = new Bundle();

    private PurchaseRequest() {}

    public static PurchaseRequest subscribe(String planId) {
        PurchaseRequest request = new PurchaseRequest();
        request.extras.putString("plan_id", planId);
        return request;
    }

    /** Changes the plan of the merchant's subscription to this app. */
    public static PurchaseRequest changeTo(String planId) {
        PurchaseRequest request = subscribe(planId);
        request.extras.putBoolean("replace", true);
        return request;
    }

    /** Undoes a cancellation whose end has not come. */
    public static PurchaseRequest restore(String subscriptionId) {
        PurchaseRequest request = new PurchaseRequest();
        request.extras.putString("subscription_id", subscriptionId);
        request.extras.putBoolean("restore", true);
        return request;
    }

    /** The extras of getBillingIntent. */
    public Bundle toExtras() {
        return new Bundle(extras);
    }
}
