package com.service.billing;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.RemoteException;
import com.service.store.IServiceTokenService;
import com.service.store.IServiceTokenServiceListener;
import com.service.store.ServiceError;
import com.service.store.TokenResponse;
import java.util.concurrent.CompletableFuture;

/**
 * An access token for the user who is signed in on the terminal, issued to this app. The app sends the token to its own server, which
 * validates the token with the service's public key and reads user and business from it.
 */
public final class Tokens {
    private static final String STORE = "com.service.store";
    private static final String BIND = "com.service.store.ServiceTokenService.BIND";
    private static final long ANSWER_MS = 60_000;

    private Tokens() {}

    /**
     * Asks for one token. The future completes on the main thread, with a {@link BillingException} where there is no token:
     * INVALID_USER_SESSION if nobody is signed in, APPROVAL_REQUIRED if the merchant has not approved the app.
     */
    public static CompletableFuture<TokenResponse> request(Context context, String appId) {
        Request request = new Request(context.getApplicationContext(), appId);
        request.mainThread.post(request);
        return request.future;
    }

    /** Binds, asks, and unbinds with the outcome. Everything but the listener runs on the main thread. */
    private static final class Request extends IServiceTokenServiceListener.Stub implements ServiceConnection, Runnable {
        final CompletableFuture<TokenResponse> future = new CompletableFuture<>();
        final Handler mainThread = new Handler(Looper.getMainLooper());
        private final Context context;
        private final String appId;
        private final Runnable timeout = new Runnable() {
            @Override
            public void run() {
                end(null, new BillingException(BillingException.TIMEOUT, "The terminal did not answer. Try again.",
                        "The service did not answer within a minute.", null));
            }
        };

        Request(Context context, String appId) {
            this.context = context;
            this.appId = appId;
        }

        @Override
        public void run() {
            mainThread.postDelayed(timeout, ANSWER_MS);
            boolean isBound = false;
            try {
                isBound = context.bindService(new Intent(BIND).setPackage(STORE), this, Context.BIND_AUTO_CREATE);
            } catch (SecurityException ignored) {
                // The permission com.service.store.BILLING is missing.
            }
            if (!isBound) end(null, BillingClient.missing());
        }

        @Override
        public void onServiceConnected(ComponentName name, IBinder binder) {
            if (future.isDone()) return;
            try {
                IServiceTokenService.Stub.asInterface(binder).grantToken(appId, this);
            } catch (RemoteException e) {
                end(null, BillingClient.disconnected());
            }
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
            end(null, BillingClient.disconnected());
        }

        @Override
        public void onNullBinding(ComponentName name) {
            end(null, BillingClient.missing());
        }

        @Override
        public void onBindingDied(ComponentName name) {
            end(null, BillingClient.disconnected());
        }

        @Override
        public void onResponse(final TokenResponse token, final ServiceError error) {
            mainThread.post(new Runnable() {
                @Override
                public void run() {
                    end(token, error == null ? null : new BillingException(error));
                }
            });
        }

        private void end(TokenResponse token, BillingException failure) {
            if (future.isDone()) return;
            mainThread.removeCallbacks(timeout);
            try {
                context.unbindService(this);
            } catch (IllegalArgumentException ignored) {
                // Android never registered the connection.
            }
            if (failure != null) future.completeExceptionally(failure);
            else if (token != null) future.complete(token);
            else future.completeExceptionally(new BillingException("INVALID_RESPONSE", "The terminal gave no token.",
                    "The response had neither a token nor an error.", null));
        }
    }
}
