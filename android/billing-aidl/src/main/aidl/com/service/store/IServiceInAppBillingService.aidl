package com.service.store;

import android.os.Bundle;
import com.service.store.IServiceInAppBillingServiceListener;

/**
 * In-app billing for apps on the terminal. Bind with action com.service.store.ServiceInAppBillingService.BIND and package
 * com.service.store; the calling app needs the permission com.service.store.BILLING.
 *
 * The order of the methods fixes their transaction codes. Existing clients have getPlans last.
 */
interface IServiceInAppBillingService {
    /**
     * The subscriptions of the calling app that the merchant owns, as a page envelope in resultJson.
     *
     * @param packageName package of the calling app, verified against the calling uid
     * @param requestId returned to the listener unchanged
     */
    void getSubscriptions(String packageName, String requestId, IServiceInAppBillingServiceListener callback);

    /**
     * An intent that opens the purchase screen.
     *
     * @param extras plan_id (string); replace (boolean) changes the plan; subscription_id (string) with restore (boolean)
     *     undoes a cancellation
     * @return a bundle with BUY_INTENT (PendingIntent, start it for result), or with RESPONSE_CODE (string) and ERROR
     *     (ServiceError) when no purchase can start
     */
    Bundle getBillingIntent(String packageName, in Bundle extras);

    /** The plans of the calling app with the prices of the merchant's country, as a page envelope in resultJson. */
    void getPlans(String packageName, String requestId, IServiceInAppBillingServiceListener callback);
}
