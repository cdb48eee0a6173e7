package com.service.store;

import android.annotation.SuppressLint;
import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.graphics.Bitmap;
import android.net.Uri;
import android.net.http.SslError;
import android.os.Bundle;
import android.view.View;
import android.view.WindowManager;
import android.webkit.CookieManager;
import android.webkit.SslErrorHandler;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.Button;
import android.widget.TextView;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The purchase screen of the server in a locked-down WebView. The result comes from the server's record of the purchase, never
 * from the page: RESULT_OK if the server confirms it, RESULT_CANCELED otherwise. Not exported; started through BUY_INTENT only.
 */
public final class PurchaseActivity extends Activity {
    static final String PACKAGE_NAME = "packageName";
    static final String WANTED = "wanted";
    static final String PURCHASE_ID = "purchaseId";
    static final String URL = "url";
    private static final int SIGN_IN = 1;

    private Store store;
    private String packageName;
    private String purchaseId;
    private String url;
    private boolean isSigningIn;
    private boolean isLeaving;
    private WebView web;
    private View fallback;
    private TextView message;
    private Button again;
    private Button close;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        store = Store.of(this);
        packageName = getIntent().getStringExtra(PACKAGE_NAME);
        // After a process death the saved purchase goes on; it is not opened a second time.
        Bundle from = state != null ? state : getIntent().getExtras();
        purchaseId = from == null ? null : from.getString(PURCHASE_ID);
        url = from == null ? null : from.getString(URL);
        isSigningIn = state != null && state.getBoolean("isSigningIn");
        setResult(RESULT_CANCELED);
        getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
        setContentView(R.layout.purchase);
        web = findViewById(R.id.web);
        fallback = findViewById(R.id.fallback);
        message = findViewById(R.id.message);
        again = findViewById(R.id.again);
        close = findViewById(R.id.close);
        close.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                leave();
            }
        });
        again.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                start();
            }
        });
        lockDown(web);
        if (!isSigningIn) start();
    }

    @SuppressLint("SetJavaScriptEnabled") // The card form of the payment provider needs scripts.
    private void lockDown(WebView web) {
        WebSettings settings = web.getSettings();
        settings.setJavaScriptEnabled(true);
        settings.setAllowFileAccess(false);
        settings.setAllowContentAccess(false);
        settings.setAllowFileAccessFromFileURLs(false);
        settings.setAllowUniversalAccessFromFileURLs(false);
        settings.setGeolocationEnabled(false);
        settings.setSaveFormData(false);
        settings.setSupportMultipleWindows(false);
        settings.setJavaScriptCanOpenWindowsAutomatically(false);
        settings.setMixedContentMode(WebSettings.MIXED_CONTENT_NEVER_ALLOW);
        settings.setCacheMode(WebSettings.LOAD_NO_CACHE);
        web.setWebViewClient(new OwnPagesOnly());
    }

    /** Shows the purchase. Opens the purchase first if the app asked for it without a signed-in user. */
    private void start() {
        fallback.setVisibility(View.GONE);
        web.setVisibility(View.VISIBLE);
        if (url != null) {
            web.loadUrl(url);
            return;
        }
        if (store.session.token() == null) {
            isSigningIn = true;
            startActivityForResult(new Intent(this, SignInActivity.class), SIGN_IN);
            return;
        }
        final String wanted = getIntent().getStringExtra(WANTED);
        store.run(new Store.Task<Billing.Purchase>() {
            @Override
            Billing.Purchase work() throws Failure {
                try {
                    return store.billing.open(packageName, new JSONObject(wanted));
                } catch (JSONException e) {
                    throw Failure.internal();
                }
            }

            @Override
            void done(Billing.Purchase purchase) {
                purchaseId = purchase.purchaseId;
                url = purchase.url;
                if (isFinishing()) leave();
                else web.loadUrl(url);
            }

            @Override
            void failed(Failure failure) {
                showFailure(failure.message, failure.isOutage);
            }
        });
    }

    @Override
    protected void onActivityResult(int requestCode, int resultCode, Intent data) {
        isSigningIn = false;
        if (resultCode == RESULT_OK) start();
        else finish();
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putString(PURCHASE_ID, purchaseId);
        state.putString(URL, url);
        state.putBoolean("isSigningIn", isSigningIn);
    }

    @Override
    public void onUserInteraction() {
        store.session.touch();
    }

    @Override
    @SuppressWarnings("deprecation") // Its replacement exists from level 33 on.
    public void onBackPressed() {
        leave();
    }

    /** Asks the server how the purchase ended. A second tap changes nothing. */
    private void leave() {
        if (isLeaving) return;
        if (purchaseId == null) {
            finish();
            return;
        }
        isLeaving = true;
        close.setEnabled(false);
        final String leaving = purchaseId;
        store.run(new Store.Task<Boolean>() {
            @Override
            Boolean work() throws Failure {
                return store.billing.leave(leaving);
            }

            @Override
            void done(Boolean isBought) {
                end(isBought);
            }

            @Override
            void failed(Failure failure) {
                // The app confirms by getSubscriptions; a completed purchase shows there.
                end(false);
            }
        });
    }

    private void end(boolean isBought) {
        setResult(isBought ? RESULT_OK : RESULT_CANCELED);
        CookieManager.getInstance().removeAllCookies(null);
        finish();
    }

    /** The page says what happened; the button follows what the server says. */
    private void look() {
        final String looking = purchaseId;
        if (looking == null || isLeaving) return;
        store.run(new Store.Task<JSONObject>() {
            @Override
            JSONObject work() throws Failure {
                return store.billing.purchase(looking);
            }

            @Override
            void done(JSONObject purchase) {
                if (isLeaving) return;
                if ("CANCELLED".equals(purchase.optString("status"))) end(false);
                else if (Billing.isBought(purchase)) {
                    setResult(RESULT_OK);
                    close.setText(R.string.done);
                }
            }

            @Override
            void failed(Failure failure) {
                // Asked again with the next page, and on leaving.
            }
        });
    }

    private void showFailure(String text, boolean canRepeat) {
        web.setVisibility(View.GONE);
        fallback.setVisibility(View.VISIBLE);
        message.setText(text);
        again.setVisibility(canRepeat ? View.VISIBLE : View.GONE);
    }

    /** Whether an address is on the service's own origin. */
    static boolean isOf(String baseUrl, String url) {
        if (url == null) return false;
        Uri own = Uri.parse(baseUrl);
        Uri other = Uri.parse(url);
        return own.getScheme().equals(other.getScheme()) && own.getAuthority().equals(other.getAuthority());
    }

    private final class OwnPagesOnly extends WebViewClient {
        @Override
        public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
            if (!request.isForMainFrame() || isOf(store.baseUrl, request.getUrl().toString())) return false;
            openOutside(request);
            return true;
        }

        /** A bank's confirmation opens in the browser, after a tap only; the page here waits for the outcome. */
        private void openOutside(WebResourceRequest request) {
            if (!request.hasGesture() || !"https".equals(request.getUrl().getScheme())) return;
            try {
                startActivity(new Intent(Intent.ACTION_VIEW, request.getUrl()).addCategory(Intent.CATEGORY_BROWSABLE));
            } catch (ActivityNotFoundException e) {
                showFailure(getString(R.string.no_browser), true);
            }
        }

        @Override
        public void onPageStarted(WebView view, String started, Bitmap favicon) {
            // Form posts do not pass shouldOverrideUrlLoading.
            if (!isOf(store.baseUrl, started)) view.stopLoading();
        }

        @Override
        public void onPageFinished(WebView view, String finished) {
            look();
        }

        @Override
        public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
            if (request.isForMainFrame()) showFailure(getString(R.string.no_connection), true);
        }

        @Override
        public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) {
            handler.cancel();
            showFailure(getString(R.string.not_secure), true);
        }
    }
}
