package com.service.billing;

import android.app.Activity;
import android.content.Intent;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** In-app billing as an app uses it. {@link BillingClient} asks the terminal; {@code testing.FakeBilling} is for an app's tests. */
public interface Billing {
    /** The subscriptions of this app that the merchant owns. */
    CompletableFuture<Subscriptions> getSubscriptions();

    /** The plans of this app, with the prices of the merchant's country. */
    CompletableFuture<List<Plan>> getPlans();

    /**
     * Opens the purchase screen. Pass the result of the activity to {@link #onPurchaseResult}. The future completes once the screen
     * is open, or with a {@link BillingException} that says why no purchase can start.
     */
    CompletableFuture<Void> startPurchase(Activity activity, PurchaseRequest purchase, int requestCode);

    /**
     * After {@code Activity.onActivityResult}. RESULT_OK is confirmed with the service: the future has the merchant's
     * subscriptions, also after a cancelled purchase.
     */
    CompletableFuture<Subscriptions> onPurchaseResult(int resultCode, Intent data);

    /** Ends the connection. Calls that are under way fail with DISCONNECTED. */
    void close();
}
