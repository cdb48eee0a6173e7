package com.service.store;

import android.os.SystemClock;
import org.json.JSONException;
import org.json.JSONObject;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/** The three operations of the interface, towards the server. Callers are verified before. */
final class Billing {
    /** After an outage, cached answers come at once for so long; then the server is asked again. */
    private static final long OUTAGE_MS = 15_000;

    private final Store store;
    private volatile long outageUntil = Long.MIN_VALUE;

    Billing(Store store) {
        this.store = store;
    }

    /** A purchase as the server opened it. */
    static final class Purchase {
        final String purchaseId;
        final String url;

        Purchase(String purchaseId, String url) {
            this.purchaseId = purchaseId;
            this.url = url;
        }
    }

    /** The page envelope; during an outage the cached one with `stale` and `staleSince`. */
    JSONObject subscriptions(String packageName, String requestId) throws Failure {
        if (SystemClock.elapsedRealtime() < outageUntil) {
            JSONObject cached = cached(packageName);
            if (cached != null) return cached;
        }
        try {
            JSONObject fresh = freshSubscriptions(packageName, requestId);
            outageUntil = Long.MIN_VALUE;
            return fresh;
        } catch (Failure failure) {
            if (!failure.isOutage) {
                store.cache.forget(packageName);
                throw failure;
            }
            outageUntil = SystemClock.elapsedRealtime() + OUTAGE_MS;
            JSONObject cached = cached(packageName);
            if (cached == null) throw failure;
            return cached;
        }
    }

    private JSONObject freshSubscriptions(String packageName, String requestId) throws Failure {
        Backend.Answer answer = ask(packageName, "GET", "subscriptions/signed", requestId);
        String jws = answer.body == null ? "" : answer.body.optString("jws");
        SubscriptionCache.Signed signed = store.cache.keep(packageName, jws);
        if (signed == null) throw Failure.invalidResponse(answer.requestId);
        return signed.list;
    }

    private JSONObject cached(String packageName) {
        if (!store.apps.isAcceptedOffline(packageName)) return null;
        SubscriptionCache.Signed signed = store.cache.find(packageName);
        if (signed == null) return null;
        try {
            return signed.list.put("stale", true).put("staleSince", timestamp(signed.issuedAtSeconds * 1000));
        } catch (JSONException e) {
            return null;
        }
    }

    /** The page envelope of the package's plans. */
    JSONObject plans(String packageName, String requestId) throws Failure {
        Backend.Answer answer = ask(packageName, "GET", "plans", requestId);
        if (answer.body == null || !answer.body.has("list")) throw Failure.invalidResponse(answer.requestId);
        return answer.body;
    }

    /** Opens a purchase for the signed-in user. `wanted` is the body of the call. */
    Purchase open(String packageName, JSONObject wanted) throws Failure {
        store.apps.require(packageName);
        store.session.touch();
        Backend.Call call = new Backend.Call("POST", InstalledApps.path(packageName) + "/purchases")
                .body(wanted).userSession(store.session.token()).quick();
        Backend.Answer answer = store.backend.send(call);
        String url = answer.body == null ? "" : answer.body.optString("url");
        String purchaseId = answer.body == null ? "" : answer.body.optString("purchaseId");
        if (purchaseId.isEmpty() || !PurchaseActivity.isOf(store.baseUrl, url)) throw Failure.invalidResponse(answer.requestId);
        return new Purchase(purchaseId, url);
    }

    /** Whether the server confirms that the purchase was made. A declined payment is not a purchase. */
    static boolean isBought(JSONObject purchase) {
        JSONObject payment = purchase.optJSONObject("payment");
        return "COMPLETED".equals(purchase.optString("status"))
                && (payment == null || !"DECLINED".equals(payment.optString("status")));
    }

    JSONObject purchase(String purchaseId) throws Failure {
        Backend.Answer answer = store.backend.send(new Backend.Call("GET", "/terminal/purchases/" + purchaseId));
        if (answer.body == null) throw Failure.invalidResponse(answer.requestId);
        return answer.body;
    }

    /** Leaves the purchase. If it was completed in that moment, it stays completed. Returns whether it is bought. */
    boolean leave(String purchaseId) throws Failure {
        JSONObject purchase = purchase(purchaseId);
        if (!"OPEN".equals(purchase.optString("status"))) return isBought(purchase);
        try {
            store.backend.send(new Backend.Call("DELETE", "/terminal/purchases/" + purchaseId).userSession(store.session.token()));
        } catch (Failure failure) {
            if (failure.isOutage) throw failure;
        }
        return isBought(purchase(purchaseId));
    }

    /** A token for the signed-in user, issued to the app of the package. */
    JSONObject token(String packageName) throws Failure {
        store.apps.require(packageName);
        store.session.touch();
        String userSession = store.session.token();
        if (userSession == null) {
            throw new Failure(Failure.INVALID_USER_SESSION, "Please sign in on the terminal.",
                    "Nobody is signed in. Ask the user to open the store app and sign in.");
        }
        Backend.Answer answer = store.backend.send(new Backend.Call("POST", InstalledApps.path(packageName) + "/token")
                .body(new JSONObject()).userSession(userSession));
        if (answer.body == null || !answer.body.has("accessToken")) throw Failure.invalidResponse(answer.requestId);
        return answer.body;
    }

    /** Reports the package again if the server does not know it as installed. */
    private Backend.Answer ask(String packageName, String method, String what, String requestId) throws Failure {
        store.apps.require(packageName);
        String path = InstalledApps.path(packageName) + "/" + what;
        try {
            return store.backend.send(new Backend.Call(method, path).requestId(requestId));
        } catch (Failure failure) {
            if (!failure.code.equals(Failure.APPLICATION_NOT_INSTALLED)) throw failure;
            store.apps.forget(packageName);
            store.apps.require(packageName);
            return store.backend.send(new Backend.Call(method, path).requestId(requestId));
        }
    }

    static String timestamp(long ms) {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format.format(new Date(ms));
    }
}
