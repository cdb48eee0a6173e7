package com.service.store;

import android.app.PendingIntent;
import android.content.Intent;
import android.net.Uri;
import android.os.Binder;
import android.os.Bundle;
import android.os.RemoteException;
import android.util.Log;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.json.JSONException;
import org.json.JSONObject;

/** The AIDL service. It keeps nothing of a client: a client that never unbinds costs one binder. */
final class BillingBinder extends IServiceInAppBillingService.Stub {
    static final String BUY_INTENT = "BUY_INTENT";
    static final String RESPONSE_CODE = "RESPONSE_CODE";
    static final String ERROR = "ERROR";
    private static final String TAG = "ServiceInAppBilling";
    /** Plan and subscription ids are UUIDs. */
    private static final int MAX_ID = 64;

    private final Store store;

    BillingBinder(Store store) {
        this.store = store;
    }

    private interface Read {
        JSONObject read() throws Failure;
    }

    @Override
    public void getSubscriptions(final String packageName, final String requestId,
            IServiceInAppBillingServiceListener callback) {
        answer(packageName, requestId, callback, new Read() {
            @Override
            public JSONObject read() throws Failure {
                return store.billing.subscriptions(packageName, requestId);
            }
        });
    }

    @Override
    public void getPlans(final String packageName, final String requestId, IServiceInAppBillingServiceListener callback) {
        answer(packageName, requestId, callback, new Read() {
            @Override
            public JSONObject read() throws Failure {
                return store.billing.plans(packageName, requestId);
            }
        });
    }

    private void answer(String packageName, final String requestId, final IServiceInAppBillingServiceListener callback,
            final Read read) {
        // Binder carries this exception to the caller: without a listener there is no other way to tell it.
        if (callback == null) throw new IllegalArgumentException("callback: is required");
        try {
            Callers.check(store.context, packageName);
            store.executor.execute(new Runnable() {
                @Override
                public void run() {
                    try {
                        respond(callback, read.read().toString(), null, requestId);
                    } catch (Failure failure) {
                        respond(callback, null, failure, requestId);
                    } catch (RuntimeException e) {
                        Log.e(TAG, "a call failed", e);
                        respond(callback, null, Failure.internal(), requestId);
                    }
                }
            });
        } catch (Failure failure) {
            respond(callback, null, failure, requestId);
        } catch (RejectedExecutionException e) {
            respond(callback, null, new Failure(Failure.TOO_MANY_REQUESTS, "Too many requests. Please try again shortly.",
                    "The service works on as many calls as it may. Call again later."), requestId);
        }
    }

    private static void respond(IServiceInAppBillingServiceListener callback, String resultJson, Failure failure,
            String requestId) {
        try {
            callback.onResponse(resultJson, failure == null ? null : failure.toServiceError(requestId), requestId);
        } catch (RemoteException e) {
            Log.i(TAG, "the caller is gone: " + requestId);
        }
    }

    @Override
    public Bundle getBillingIntent(String packageName, Bundle extras) {
        Bundle result = new Bundle();
        try {
            Callers.check(store.context, packageName);
            JSONObject wanted = wanted(extras);
            // The store acts with its own permissions from here on.
            long identity = Binder.clearCallingIdentity();
            try {
                result.putParcelable(BUY_INTENT, buyIntent(packageName, wanted));
            } finally {
                Binder.restoreCallingIdentity(identity);
            }
        } catch (Failure failure) {
            result.putString(RESPONSE_CODE, failure.code);
            result.putParcelable(ERROR, failure.toServiceError(UUID.randomUUID().toString()));
        }
        return result;
    }

    /**
     * With somebody signed in, the server says now whether the purchase is possible. Otherwise the screen starts with the
     * sign-in and opens the purchase afterwards.
     */
    private PendingIntent buyIntent(String packageName, JSONObject wanted) throws Failure {
        Intent intent = new Intent(store.context, PurchaseActivity.class)
                .putExtra(PurchaseActivity.PACKAGE_NAME, packageName)
                .putExtra(PurchaseActivity.WANTED, wanted.toString());
        if (store.identity() == null) store.billing.open(packageName, wanted);
        String id = UUID.randomUUID().toString();
        if (store.session.token() == null) {
            store.apps.require(packageName);
        } else {
            Billing.Purchase purchase = store.billing.open(packageName, wanted);
            id = purchase.purchaseId;
            intent.putExtra(PurchaseActivity.PURCHASE_ID, id).putExtra(PurchaseActivity.URL, purchase.url);
        }
        // The data makes the intents of two purchases different; immutable, so that the app that starts it cannot edit it.
        intent.setData(new Uri.Builder().scheme("purchase").opaquePart(id).build());
        return PendingIntent.getActivity(store.context, 0, intent, PendingIntent.FLAG_IMMUTABLE);
    }

    /** Decisions 9, Purchase extras. Unknown extras are ignored. */
    private static JSONObject wanted(Bundle extras) throws Failure {
        if (extras == null) throw Failure.invalidParameter("extras: is required, with plan_id.");
        try {
            JSONObject wanted = new JSONObject();
            String planId = id(extras, "plan_id");
            String subscriptionId = id(extras, "subscription_id");
            if (planId != null) wanted.put("planId", planId);
            if (subscriptionId != null) wanted.put("subscriptionId", subscriptionId);
            if (flag(extras, "replace")) wanted.put("replace", true);
            if (flag(extras, "restore")) wanted.put("restore", true);
            if (planId == null && !flag(extras, "restore")) throw Failure.invalidParameter("extras: plan_id is required.");
            return wanted;
        } catch (JSONException e) {
            throw Failure.internal();
        } catch (RuntimeException e) {
            // A bundle with classes that the store does not have cannot be read.
            throw Failure.invalidParameter("extras: holds objects of classes unknown to the service.");
        }
    }

    private static String id(Bundle extras, String key) throws Failure {
        Object value = extras.get(key);
        if (value == null) return null;
        if (!(value instanceof String) || ((String) value).isEmpty() || ((String) value).length() > MAX_ID) {
            throw Failure.invalidParameter("extras: " + key + " must be an id (string).");
        }
        return (String) value;
    }

    private static boolean flag(Bundle extras, String key) throws Failure {
        Object value = extras.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw Failure.invalidParameter("extras: " + key + " must be a boolean.");
        }
        return Boolean.TRUE.equals(value);
    }
}
