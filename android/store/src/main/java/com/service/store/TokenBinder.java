package com.service.store;

import android.content.Context;
import android.os.Binder;
import android.os.RemoteException;
import android.util.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.json.JSONException;
import org.json.JSONObject;

/** Tokens for apps: a package of the calling uid must belong to the app that the token is for. */
final class TokenBinder extends IServiceTokenService.Stub {
    private static final String TAG = "ServiceToken";

    private final Store store;

    TokenBinder(Store store) {
        this.store = store;
    }

    @Override
    public void grantToken(final String appId, final IServiceTokenServiceListener callback) {
        if (callback == null) throw new IllegalArgumentException("callback: is required");
        final List<String> packages = billingPackagesOf(store.context, Binder.getCallingUid());
        try {
            store.executor.execute(new Runnable() {
                @Override
                public void run() {
                    try {
                        respond(callback, tokenOf(appId, packages), null);
                    } catch (Failure failure) {
                        respond(callback, null, failure);
                    } catch (RuntimeException e) {
                        Log.e(TAG, "a call failed", e);
                        respond(callback, null, Failure.internal());
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            respond(callback, null, new Failure(Failure.TOO_MANY_REQUESTS, "Too many requests. Please try again shortly.",
                    "The service works on as many calls as it may. Call again later."));
        }
    }

    private static List<String> billingPackagesOf(Context context, int uid) {
        List<String> packages = new ArrayList<>();
        for (String each : Callers.packagesOf(context, uid)) {
            try {
                Callers.check(context, each);
                packages.add(each);
            } catch (Failure ignored) {
                // Without the permission there are no tokens either.
            }
        }
        return packages;
    }

    private TokenResponse tokenOf(String appId, List<String> packages) throws Failure {
        Failure last = new Failure(Failure.PACKAGE_MISMATCH, "This app may not use billing in the name of another app.",
                "appId: is not the app of a package of the calling uid that has the permission " + Callers.BILLING + ".");
        for (String packageName : packages) {
            JSONObject answer;
            try {
                answer = store.billing.token(packageName);
            } catch (Failure failure) {
                if (packages.size() == 1) throw failure;
                last = failure;
                continue;
            }
            String token = answer.optString("accessToken");
            if (appId != null && appId.equals(subjectOf(token))) {
                return new TokenResponse(token, answer.optInt("expiresIn"), answer.optString("scope"), answer.optString("tokenType"));
            }
        }
        throw last;
    }

    /** Interface, Self-issued JWT claim set: `sub` is the app identifier; the server's tokens say the same. */
    static String subjectOf(String jwt) {
        try {
            String[] parts = jwt.split("\\.");
            return parts.length == 3 ? new JSONObject(new String(Jws.decode(parts[1]), Jws.UTF_8)).optString("sub") : null;
        } catch (JSONException | IllegalArgumentException e) {
            return null;
        }
    }

    private static void respond(IServiceTokenServiceListener callback, TokenResponse token, Failure failure) {
        try {
            callback.onResponse(token, failure == null ? null : failure.toServiceError(null));
        } catch (RemoteException e) {
            Log.i(TAG, "the caller is gone");
        }
    }
}
