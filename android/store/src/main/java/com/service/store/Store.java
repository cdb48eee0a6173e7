package com.service.store;

import android.content.Context;
import android.content.SharedPreferences;
import android.os.Handler;
import android.os.Looper;
import java.io.File;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.json.JSONException;
import org.json.JSONObject;

/** The parts of the store app, connected. One per process. */
final class Store {
    private static final int THREADS = 4;
    /** Calls beyond these are rejected with TOO_MANY_REQUESTS, so that no app fills the memory of the store. */
    private static final int WAITING_CALLS = 256;

    private static Store instance;

    final Context context;
    /** Interface, {base_url}: without a trailing slash. */
    final String baseUrl;
    final ServerClock clock;
    final UserSession session = new UserSession();
    final Backend backend = new Backend(this);
    final SubscriptionCache cache;
    final InstalledApps apps;
    final Billing billing = new Billing(this);
    final Executor executor = newExecutor();
    final Handler mainThread = new Handler(Looper.getMainLooper());
    private final SharedPreferences kept;

    static synchronized Store of(Context context) {
        if (instance == null) {
            Context application = context.getApplicationContext();
            instance = new Store(application, application.getString(R.string.service_url));
        }
        return instance;
    }

    /** For tests: another service, or a new process. */
    static synchronized void replace(Store store) {
        instance = store;
    }

    Store(Context context, String serviceUrl) {
        this.context = context;
        baseUrl = serviceUrl.replaceAll("/+$", "");
        kept = context.getSharedPreferences("terminal", Context.MODE_PRIVATE);
        clock = new ServerClock(kept);
        cache = new SubscriptionCache(this, new File(context.getNoBackupFilesDir(), "subscriptions"));
        apps = new InstalledApps(this, context, context.getSharedPreferences("apps", Context.MODE_PRIVATE));
    }

    /** Null: the terminal is not activated. */
    synchronized Identity identity() {
        return Identity.find(kept);
    }

    /** Exchanges an activation code for a key of this terminal. The key before it works until the server has the new one. */
    void activate(String code) throws Failure {
        try {
            String alias = DeviceKey.create();
            JSONObject body = new JSONObject().put("activationCode", code).put("publicKey", DeviceKey.publicKeyPem(alias));
            Backend.Answer answer = backend.sendOpen("POST", "/devices/activate", body);
            if (answer.status != 201) throw Failure.of(answer);
            if (answer.body == null) throw Failure.invalidResponse(answer.requestId);
            JSONObject device = answer.body;
            String[] fields = {"deviceId", "businessId", "storeId", "name", "kid"};
            for (String field : fields) if (!device.has(field)) throw Failure.invalidResponse(answer.requestId);
            forgetMerchant();
            synchronized (this) {
                new Identity(device.optString("deviceId"), device.optString("businessId"), device.optString("storeId"),
                        device.optString("name"), device.optString("kid"), alias).save(kept);
            }
            DeviceKey.keepOnly(alias);
        } catch (GeneralSecurityException | JSONException e) {
            throw Failure.internal();
        }
    }

    /** The server does not know the key any more: nothing of that merchant stays on the terminal. */
    void revoked(Identity identity) {
        synchronized (this) {
            Identity now = identity();
            if (now == null || !now.kid.equals(identity.kid)) return;
            Identity.forget(kept);
        }
        forgetMerchant();
    }

    private void forgetMerchant() {
        session.end();
        backend.forgetToken();
        cache.clear();
        apps.forgetAll();
    }

    void signIn(String userId, String passcode) throws Failure {
        JSONObject body;
        try {
            body = new JSONObject().put("userId", userId).put("passcode", passcode);
        } catch (JSONException e) {
            throw Failure.internal();
        }
        Backend.Answer answer = backend.send(new Backend.Call("POST", "/terminal/sessions").body(body));
        JSONObject user = answer.body == null ? null : answer.body.optJSONObject("user");
        String token = answer.body == null ? "" : answer.body.optString("sessionToken");
        if (user == null || token.isEmpty()) throw Failure.invalidResponse(answer.requestId);
        session.start(token, user.optString("name"), user.optString("role"));
    }

    /** At once on this terminal. If the server does not hear of it, it ends the session itself after 15 idle minutes. */
    void signOut() {
        final String ended = session.end();
        if (ended == null) return;
        executor.execute(new Runnable() {
            @Override
            public void run() {
                try {
                    backend.send(new Backend.Call("DELETE", "/terminal/sessions/current").userSession(ended));
                } catch (Failure ignored) {
                    // The session ends by itself.
                }
            }
        });
    }

    /** Work in the background for a screen; the outcome arrives on the main thread. */
    abstract static class Task<T> {
        abstract T work() throws Failure;

        abstract void done(T result);

        abstract void failed(Failure failure);
    }

    <T> void run(final Task<T> task) {
        executor.execute(new Runnable() {
            @Override
            public void run() {
                Runnable outcome;
                try {
                    final T result = task.work();
                    outcome = new Runnable() {
                        @Override
                        public void run() {
                            task.done(result);
                        }
                    };
                } catch (final Failure failure) {
                    outcome = new Runnable() {
                        @Override
                        public void run() {
                            task.failed(failure);
                        }
                    };
                }
                mainThread.post(outcome);
            }
        });
    }

    private static Executor newExecutor() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS,
                new LinkedBlockingQueue<Runnable>(WAITING_CALLS));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
