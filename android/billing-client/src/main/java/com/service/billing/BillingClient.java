package com.service.billing;

import android.app.Activity;
import android.app.Application;
import android.app.PendingIntent;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentSender;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.RemoteException;
import com.service.store.IServiceInAppBillingService;
import com.service.store.IServiceInAppBillingServiceListener;
import com.service.store.ServiceError;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The store app of the terminal. The client binds with its first call and unbinds with {@link #close}, or with the activity that it was
 * made for. Futures complete on the main thread.
 */
public final class BillingClient implements Billing {
    private static final String STORE = "com.service.store";
    private static final String BIND = "com.service.store.ServiceInAppBillingService.BIND";
    private static final int ATTEMPTS = 3;
    private static final long FIRST_PAUSE_MS = 500;
    /** The service itself gives up on the network earlier. */
    private static final long ANSWER_MS = 60_000;

    private final Context context;
    private final Handler mainThread = new Handler(Looper.getMainLooper());
    /** Calls that wait for the connection or for an answer. Touched on the main thread only. */
    private final List<Call<?>> open = new ArrayList<>();
    private IServiceInAppBillingService service;
    private boolean isBound;
    private boolean isClosed;

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder binder) {
            service = IServiceInAppBillingService.Stub.asInterface(binder);
            for (Call<?> call : new ArrayList<>(open)) call.send();
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
            // The store app stopped. Android connects again by itself; calls under way got no answer and are sent again.
            service = null;
            for (Call<?> call : new ArrayList<>(open)) if (call.isSent) call.failed(disconnected());
        }

        @Override
        public void onNullBinding(ComponentName name) {
            failAll(missing());
        }

        @Override
        public void onBindingDied(ComponentName name) {
            // An update of the store app ends the binding for good; the next attempt binds again.
            unbind();
            for (Call<?> call : new ArrayList<>(open)) call.failed(disconnected());
        }
    };

    /** The client of a component that calls {@link #close} itself. */
    public BillingClient(Context context) {
        this.context = context;
    }

    /** The client of an activity: it closes when the activity is destroyed. */
    public static BillingClient of(final Activity activity) {
        final BillingClient client = new BillingClient(activity);
        final Application application = activity.getApplication();
        application.registerActivityLifecycleCallbacks(new DestroyedCallbacks() {
            @Override
            public void onActivityDestroyed(Activity destroyed) {
                if (destroyed != activity) return;
                client.close();
                application.unregisterActivityLifecycleCallbacks(this);
            }
        });
        return client;
    }

    @Override
    public CompletableFuture<Subscriptions> getSubscriptions() {
        return start(new Call<Subscriptions>() {
            @Override
            void ask(IServiceInAppBillingService service) throws RemoteException {
                service.getSubscriptions(context.getPackageName(), requestId, listener);
            }

            @Override
            Subscriptions parse(JSONObject envelope) throws JSONException {
                return new Subscriptions(envelope);
            }
        });
    }

    @Override
    public CompletableFuture<List<Plan>> getPlans() {
        return start(new Call<List<Plan>>() {
            @Override
            void ask(IServiceInAppBillingService service) throws RemoteException {
                service.getPlans(context.getPackageName(), requestId, listener);
            }

            @Override
            List<Plan> parse(JSONObject envelope) throws JSONException {
                return Plan.listOf(envelope);
            }
        });
    }

    /** The outcome of a future, for code without futures. Both methods run on the main thread. */
    public interface Callback<T> {
        void onSuccess(T result);

        void onFailure(BillingException failure);
    }

    public void getSubscriptions(Callback<Subscriptions> callback) {
        report(getSubscriptions(), callback);
    }

    public void getPlans(Callback<List<Plan>> callback) {
        report(getPlans(), callback);
    }

    private static <T> void report(CompletableFuture<T> future, final Callback<T> callback) {
        future.whenComplete(new java.util.function.BiConsumer<T, Throwable>() {
            @Override
            public void accept(T result, Throwable failure) {
                if (failure == null) callback.onSuccess(result);
                else callback.onFailure((BillingException) failure);
            }
        });
    }

    @Override
    public CompletableFuture<Void> startPurchase(final Activity activity, final PurchaseRequest purchase,
            final int requestCode) {
        return start(new Call<Void>() {
            @Override
            void ask(final IServiceInAppBillingService service) {
                final String asked = requestId;
                // The service may ask the server first, so the call stays off the main thread.
                new Thread("billing-intent") {
                    @Override
                    public void run() {
                        try {
                            took(asked, service.getBillingIntent(context.getPackageName(), purchase.toExtras()));
                        } catch (RemoteException | RuntimeException e) {
                            took(asked, null);
                        }
                    }
                }.start();
            }

            private void took(final String asked, final Bundle bundle) {
                mainThread.post(new Runnable() {
                    @Override
                    public void run() {
                        // A late answer to an attempt that was given up opens no second screen.
                        if (asked.equals(requestId) && isSent && !activity.isFinishing()) launch(bundle);
                    }
                });
            }

            private void launch(Bundle bundle) {
                if (bundle == null) {
                    failed(disconnected());
                    return;
                }
                bundle.setClassLoader(ServiceError.class.getClassLoader());
                PendingIntent intent = bundle.getParcelable("BUY_INTENT");
                ServiceError error = bundle.getParcelable("ERROR");
                // Interface, Errors 4: without BUY_INTENT there is no purchase screen.
                if (intent == null) {
                    failed(error != null ? new BillingException(error) : new BillingException("NO_PURCHASE",
                            "This cannot be bought now.", "The bundle has no BUY_INTENT.", requestId));
                    return;
                }
                try {
                    activity.startIntentSenderForResult(intent.getIntentSender(), requestCode, null, 0, 0, 0);
                    succeeded(null);
                } catch (IntentSender.SendIntentException e) {
                    failed(new BillingException("NO_PURCHASE", "This cannot be bought now.", "BUY_INTENT was cancelled.", requestId));
                }
            }

            @Override
            Void parse(JSONObject envelope) {
                return null;
            }
        });
    }

    @Override
    public CompletableFuture<Subscriptions> onPurchaseResult(int resultCode, Intent data) {
        // Interface, getBillingIntent: confirm by calling getSubscriptions. A screen that was left without a network may have sold.
        return getSubscriptions();
    }

    @Override
    public void close() {
        isClosed = true;
        unbind();
        failAll(disconnected());
    }

    private <T> CompletableFuture<T> start(final Call<T> call) {
        onMainThread(new Runnable() {
            @Override
            public void run() {
                open.add(call);
                call.send();
            }
        });
        return call.future;
    }

    private void onMainThread(Runnable work) {
        if (Looper.myLooper() == Looper.getMainLooper()) work.run();
        else mainThread.post(work);
    }

    /** Returns the service, or null while it is being bound. */
    private IServiceInAppBillingService connected() throws BillingException {
        if (isClosed) throw disconnected();
        if (service != null || isBound) return service;
        // Explicit: another app that declares the action is never bound.
        Intent intent = new Intent(BIND).setPackage(STORE);
        try {
            isBound = context.bindService(intent, connection, Context.BIND_AUTO_CREATE);
        } catch (SecurityException e) {
            throw missing();
        }
        if (!isBound) {
            context.unbindService(connection);
            throw missing();
        }
        return service;
    }

    private void unbind() {
        if (isBound) context.unbindService(connection);
        isBound = false;
        service = null;
    }

    private void failAll(BillingException failure) {
        for (Call<?> call : new ArrayList<>(open)) call.end(null, failure);
    }

    static BillingException missing() {
        return new BillingException(BillingException.SERVICE_MISSING, "Billing is not available on this device.",
                "The package com.service.store is not installed, or the manifest lacks the permission com.service.store.BILLING "
                        + "or <queries><package android:name=\"com.service.store\" /></queries>.", null);
    }

    static BillingException disconnected() {
        return new BillingException(BillingException.DISCONNECTED, "Billing is not available now. Try again.",
                "The connection to the store app ended.", null);
    }

    /** One call and its repetitions. Everything but the listener runs on the main thread. */
    private abstract class Call<T> {
        final CompletableFuture<T> future = new CompletableFuture<>();
        String requestId;
        boolean isSent;
        private int attempts;
        private boolean isWaiting;
        private boolean isOver;

        abstract void ask(IServiceInAppBillingService service) throws RemoteException;

        abstract T parse(JSONObject envelope) throws JSONException;

        final IServiceInAppBillingServiceListener listener = new IServiceInAppBillingServiceListener.Stub() {
            @Override
            public void onResponse(final String resultJson, final ServiceError error, final String answeredId) {
                mainThread.post(new Runnable() {
                    @Override
                    public void run() {
                        // An answer to an abandoned attempt does not answer the next attempt.
                        if (isOver || requestId == null || !requestId.equals(answeredId)) return;
                        if (error != null) failed(new BillingException(error));
                        else answered(resultJson);
                    }
                });
            }
        };

        private final Runnable timeout = new Runnable() {
            @Override
            public void run() {
                failed(new BillingException(BillingException.TIMEOUT, "Billing did not answer. Try again.",
                        "The service did not answer within a minute.", requestId));
            }
        };

        void send() {
            if (isOver || isSent || isWaiting) return;
            try {
                IServiceInAppBillingService connected = connected();
                if (connected == null) {
                    mainThread.removeCallbacks(timeout);
                    mainThread.postDelayed(timeout, ANSWER_MS);
                    return;
                }
                isSent = true;
                requestId = UUID.randomUUID().toString();
                mainThread.removeCallbacks(timeout);
                mainThread.postDelayed(timeout, ANSWER_MS);
                ask(connected);
            } catch (RemoteException e) {
                failed(disconnected());
            } catch (BillingException e) {
                end(null, e);
            }
        }

        private void answered(String resultJson) {
            try {
                succeeded(parse(new JSONObject(resultJson)));
            } catch (JSONException | RuntimeException e) {
                end(null, new BillingException("INVALID_RESPONSE", "Billing gave an answer that cannot be used.",
                        "resultJson: " + e.getMessage(), requestId));
            }
        }

        void succeeded(T result) {
            end(result, null);
        }

        void failed(BillingException failure) {
            attempts++;
            isSent = false;
            mainThread.removeCallbacks(timeout);
            if (isOver) return;
            if (!failure.isRetryable() || attempts >= ATTEMPTS || isClosed) {
                end(null, failure);
                return;
            }
            isWaiting = true;
            mainThread.postDelayed(new Runnable() {
                @Override
                public void run() {
                    isWaiting = false;
                    send();
                }
            }, FIRST_PAUSE_MS << (attempts - 1));
        }

        void end(T result, BillingException failure) {
            if (isOver) return;
            isOver = true;
            isSent = false;
            open.remove(this);
            mainThread.removeCallbacks(timeout);
            if (failure == null) future.complete(result);
            else future.completeExceptionally(failure);
        }
    }

    private abstract static class DestroyedCallbacks implements Application.ActivityLifecycleCallbacks {
        @Override
        public void onActivityCreated(Activity activity, Bundle state) {}

        @Override
        public void onActivityStarted(Activity activity) {}

        @Override
        public void onActivityResumed(Activity activity) {}

        @Override
        public void onActivityPaused(Activity activity) {}

        @Override
        public void onActivityStopped(Activity activity) {}

        @Override
        public void onActivitySaveInstanceState(Activity activity, Bundle state) {}
    }
}
