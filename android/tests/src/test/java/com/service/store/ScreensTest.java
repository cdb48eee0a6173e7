package com.service.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.net.http.SslError;
import android.os.Bundle;
import android.view.View;
import android.webkit.SslErrorHandler;
import android.webkit.WebResourceRequest;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.widget.Button;
import android.widget.EditText;
import android.widget.TextView;
import com.service.store.FakeServer.Answer;
import java.util.HashMap;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** The store's screens: purchase, sign-in, activation, approval. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class ScreensTest {
    @Rule public final Terminal terminal = new Terminal();

    private static final String PURCHASE = "/terminal/purchases/" + FakeServer.PURCHASE;

    private Intent purchase() throws Exception {
        return new Intent().putExtra(PurchaseActivity.PACKAGE_NAME, Terminal.APP)
                .putExtra(PurchaseActivity.WANTED, "{\"planId\":\"p\"}")
                .putExtra(PurchaseActivity.PURCHASE_ID, FakeServer.PURCHASE).putExtra(PurchaseActivity.URL, url());
    }

    private String url() {
        return terminal.server.url() + "/purchases/" + FakeServer.PURCHASE + "?key=k";
    }

    private void purchaseIs(String status) throws Exception {
        terminal.server.on("GET", PURCHASE, Answer.json(200, new JSONObject().put("status", status)));
    }

    private static WebView webOf(Activity screen) {
        return screen.findViewById(R.id.web);
    }

    @Test
    public void theWebViewIsLockedDown() throws Exception {
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        assertEquals(url(), shadowOf(webOf(screen)).getLastLoadedUrl());
        WebSettings settings = webOf(screen).getSettings();
        assertFalse(settings.getAllowFileAccess());
        assertFalse(settings.getAllowContentAccess());
        assertFalse(settings.getAllowFileAccessFromFileURLs());
        assertFalse(settings.getAllowUniversalAccessFromFileURLs());
        assertEquals(WebSettings.MIXED_CONTENT_NEVER_ALLOW, settings.getMixedContentMode());
        assertFalse(settings.supportMultipleWindows());
        assertTrue("screenshots", (screen.getWindow().getAttributes().flags & android.view.WindowManager.LayoutParams.FLAG_SECURE) != 0);
        Bundle meta = terminal.packages().getApplicationInfo("com.service.store", android.content.pm.PackageManager.GET_META_DATA).metaData;
        assertTrue("safe browsing", meta.getBoolean("android.webkit.WebView.EnableSafeBrowsing"));
    }

    @Test
    public void foreignPagesStayOutsideAndOnlyATapOpensABrowser() throws Exception {
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        android.webkit.WebViewClient client = shadowOf(webOf(screen)).getWebViewClient();
        assertFalse(client.shouldOverrideUrlLoading(webOf(screen), request(url(), true)));
        for (String foreign : new String[] {"https://bank.example/confirm", "file:///sdcard/x", "intent:#Intent;end", "javascript:x",
                "http://127.0.0.1.evil.example/", terminal.server.url().replace("127.0.0.1:", "127.0.0.1.evil:")}) {
            assertTrue(foreign, client.shouldOverrideUrlLoading(webOf(screen), request(foreign, false)));
            assertNull(foreign, shadowOf(screen).getNextStartedActivity());
        }
        client.shouldOverrideUrlLoading(webOf(screen), request("https://bank.example/confirm", true));
        Intent browser = shadowOf(screen).getNextStartedActivity();
        assertEquals(Intent.ACTION_VIEW, browser.getAction());
        assertEquals("https://bank.example/confirm", browser.getDataString());
        client.shouldOverrideUrlLoading(webOf(screen), request("intent:#Intent;end", true));
        assertNull(shadowOf(screen).getNextStartedActivity());
    }

    @Test
    public void aLostNetworkAndAnInsecureConnectionShowWhatToDo() throws Exception {
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        android.webkit.WebViewClient client = shadowOf(webOf(screen)).getWebViewClient();
        client.onReceivedError(webOf(screen), request(url(), false), null);
        assertEquals(View.VISIBLE, screen.findViewById(R.id.fallback).getVisibility());
        assertEquals(View.GONE, webOf(screen).getVisibility());
        screen.findViewById(R.id.again).performClick();
        assertEquals(View.GONE, screen.findViewById(R.id.fallback).getVisibility());
        assertEquals(url(), shadowOf(webOf(screen)).getLastLoadedUrl());
        boolean[] cancelled = {false};
        SslErrorHandler handler = org.robolectric.util.ReflectionHelpers.newInstance(RejectingHandler.class);
        RejectingHandler.cancelled = cancelled;
        client.onReceivedSslError(webOf(screen), handler, (SslError) null);
        assertTrue(cancelled[0]);
        assertEquals(View.VISIBLE, screen.findViewById(R.id.fallback).getVisibility());
    }

    /** Notes that the page was cancelled, and fails where it would be let through. */
    public static final class RejectingHandler extends SslErrorHandler {
        static boolean[] cancelled;

        @Override
        public void cancel() {
            cancelled[0] = true;
        }

        @Override
        public void proceed() {
            throw new AssertionError("proceeded");
        }
    }

    @Test
    public void aProcessDeathResumesTheSamePurchase() throws Exception {
        Terminal.signIn(terminal.store);
        terminal.server.on("POST", InterfaceTest.purchases(), Answer.json(201,
                new JSONObject(Map.of("purchaseId", FakeServer.PURCHASE, "url", url()))));
        Intent unopened = purchase();
        unopened.removeExtra(PurchaseActivity.PURCHASE_ID);
        unopened.removeExtra(PurchaseActivity.URL);
        ActivityController<PurchaseActivity> first = Robolectric.buildActivity(PurchaseActivity.class, unopened).setup();
        Terminal.until(() -> url().equals(shadowOf(webOf(first.get())).getLastLoadedUrl()));
        Bundle state = new Bundle();
        first.pause().saveInstanceState(state).stop();
        terminal.restart();
        purchaseIs("COMPLETED");
        PurchaseActivity second = Robolectric.buildActivity(PurchaseActivity.class, unopened).setup(state).get();
        assertEquals(url(), shadowOf(webOf(second)).getLastLoadedUrl());
        second.findViewById(R.id.close).performClick();
        Terminal.until(second::isFinishing);
        assertEquals(Activity.RESULT_OK, shadowOf(second).getResultCode());
        assertEquals("opened once", 1, terminal.server.count("POST", InterfaceTest.purchases()));
    }

    @Test
    public void rotationDoesNotReloadThePage() throws Exception {
        android.content.pm.ActivityInfo info = terminal.packages().getActivityInfo(
                new android.content.ComponentName(terminal.application, PurchaseActivity.class), 0);
        int rotation = android.content.pm.ActivityInfo.CONFIG_ORIENTATION | android.content.pm.ActivityInfo.CONFIG_SCREEN_SIZE;
        assertEquals(rotation, info.configChanges & rotation);
    }

    @Test
    public void aDoubleTapLeavesOnce() throws Exception {
        purchaseIs("OPEN");
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        screen.findViewById(R.id.close).performClick();
        screen.findViewById(R.id.close).performClick();
        screen.onBackPressed();
        Terminal.until(screen::isFinishing);
        assertEquals(1, terminal.server.count("DELETE", PURCHASE));
        assertEquals(Activity.RESULT_CANCELED, shadowOf(screen).getResultCode());
    }

    @Test
    public void boughtInTheMomentOfLeavingIsBought() throws Exception {
        purchaseIs("OPEN");
        terminal.server.on("DELETE", PURCHASE, request -> {
            purchaseIs("COMPLETED");
            return Answer.error(409, "PURCHASE_CLOSED");
        });
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        screen.findViewById(R.id.close).performClick();
        Terminal.until(screen::isFinishing);
        assertEquals(Activity.RESULT_OK, shadowOf(screen).getResultCode());
    }

    @Test
    public void withoutAnAnswerOfTheServerTheResultIsCanceled() throws Exception {
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        terminal.server.close();
        screen.findViewById(R.id.close).performClick();
        Terminal.until(screen::isFinishing);
        assertEquals(Activity.RESULT_CANCELED, shadowOf(screen).getResultCode());
    }

    @Test
    public void whatThePageShowsDoesNotDecideButTheServerDoes() throws Exception {
        purchaseIs("OPEN");
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, purchase()).setup().get();
        android.webkit.WebViewClient client = shadowOf(webOf(screen)).getWebViewClient();
        client.onPageFinished(webOf(screen), url() + "#done");
        Terminal.until(() -> terminal.server.count("GET", PURCHASE) == 1);
        assertEquals("Close", ((Button) screen.findViewById(R.id.close)).getText().toString());
        purchaseIs("COMPLETED");
        client.onPageFinished(webOf(screen), url());
        Terminal.until(() -> ((Button) screen.findViewById(R.id.close)).getText().toString().equals("Done"));
        purchaseIs("CANCELLED");
        client.onPageFinished(webOf(screen), url());
        Terminal.until(screen::isFinishing);
        assertEquals(Activity.RESULT_CANCELED, shadowOf(screen).getResultCode());
    }

    @Test
    public void withoutASignedInUserThePurchaseStartsWithTheSignIn() throws Exception {
        terminal.server.on("POST", "/terminal/sessions", Answer.json(201, new JSONObject(Map.of("sessionToken", "s-9",
                "user", Map.of("name", "Kim", "role", "MANAGER")))));
        terminal.server.on("POST", InterfaceTest.purchases(), Answer.json(201,
                new JSONObject(Map.of("purchaseId", FakeServer.PURCHASE, "url", url()))));
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan("p"));
        Intent buys = shadowOf((android.app.PendingIntent) bundle.getParcelable("BUY_INTENT")).getSavedIntent();
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, buys).setup().get();
        Intent asked = shadowOf(screen).getNextStartedActivity();
        assertEquals(SignInActivity.class.getName(), asked.getComponent().getClassName());
        SignInActivity signIn = Robolectric.buildActivity(SignInActivity.class, asked).setup().get();
        signIn.findViewById(R.id.sign_in).performClick();
        assertFalse("empty fields are no sign-in", signIn.isFinishing());
        ((EditText) signIn.findViewById(R.id.user_id)).setText(" kim ");
        ((EditText) signIn.findViewById(R.id.passcode)).setText("2468");
        signIn.findViewById(R.id.sign_in).performClick();
        Terminal.until(signIn::isFinishing);
        assertEquals("kim", terminal.server.last("POST", "/terminal/sessions").json().getString("userId"));
        shadowOf(screen).receiveResult(asked, shadowOf(signIn).getResultCode(), null);
        Terminal.until(() -> url().equals(shadowOf(webOf(screen)).getLastLoadedUrl()));
        assertEquals("s-9", terminal.server.last("POST", InterfaceTest.purchases()).headers().get("service-user-session"));
    }

    @Test
    public void whereThePurchaseCannotStartAfterTheSignInTheScreenSaysWhy() throws Exception {
        Terminal.signIn(terminal.store);
        terminal.server.on("POST", InterfaceTest.purchases(), Answer.error(409, "ALREADY_SUBSCRIBED"));
        Intent unopened = purchase();
        unopened.removeExtra(PurchaseActivity.PURCHASE_ID);
        unopened.removeExtra(PurchaseActivity.URL);
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, unopened).setup().get();
        TextView message = screen.findViewById(R.id.message);
        Terminal.until(() -> message.getText().toString().equals("M: ALREADY_SUBSCRIBED"));
        assertEquals(View.GONE, screen.findViewById(R.id.again).getVisibility());
        screen.findViewById(R.id.close).performClick();
        assertTrue(screen.isFinishing());
        assertEquals(Activity.RESULT_CANCELED, shadowOf(screen).getResultCode());
    }

    @Test
    public void aTerminalIsActivatedByATypedOrAScannedCode() throws Exception {
        FakeKeystore.KEYS.clear();
        terminal.application.getSharedPreferences("terminal", 0).edit().clear().commit();
        Intent scanned = new Intent(Intent.ACTION_VIEW, Uri.parse("service-store:activate?code=AAAA-BBBB-CCCC-DDDD"));
        assertEquals(HomeActivity.class.getName(), terminal.packages().resolveActivity(
                new Intent(scanned).addCategory(Intent.CATEGORY_BROWSABLE), 0).activityInfo.name);
        HomeActivity home = Robolectric.buildActivity(HomeActivity.class, scanned).setup().get();
        assertNull("a scan alone activates nothing", terminal.store.identity());
        assertEquals("AAAA-BBBB-CCCC-DDDD", ((EditText) home.findViewById(R.id.code)).getText().toString());
        ((EditText) home.findViewById(R.id.code)).setText("WRONG");
        home.findViewById(R.id.activate).performClick();
        TextView message = home.findViewById(R.id.message);
        Terminal.until(() -> message.getText().toString().equals("M: ACTIVATION_CODE_INVALID"));
        ((EditText) home.findViewById(R.id.code)).setText("AAAA-BBBB-CCCC-DDDD");
        home.findViewById(R.id.activate).performClick();
        Terminal.until(() -> home.findViewById(R.id.activated).getVisibility() == View.VISIBLE);
        assertEquals("Till 1", ((TextView) home.findViewById(R.id.name)).getText().toString());
    }

    @Test
    public void anInstallIsReportedAndTheMerchantIsAskedForItsPermissions() throws Exception {
        String path = "/terminal/apps/com.example.fresh";
        JSONArray both = new JSONArray().put("android.permission.CAMERA").put(Callers.BILLING);
        terminal.server.on("PUT", path, Answer.json(200, new JSONObject().put("permissionsToApprove", both)));
        terminal.server.on("POST", path + "/approval", request -> {
            terminal.server.handlers.remove("PUT " + path);
            return Answer.json(200, new JSONObject().put("permissionsToApprove", new JSONArray()));
        });
        terminal.install("com.example.fresh", 10_500, "fresh signer", Callers.BILLING, "android.permission.CAMERA");
        broadcast(Intent.ACTION_PACKAGE_ADDED, "com.example.fresh", false);
        Terminal.until(() -> terminal.server.count("PUT", path) == 1);
        JSONObject sent = terminal.server.last("PUT", path).json();
        assertEquals("1.0", sent.getString("version"));
        assertTrue(sent.getString("signerSha256").matches("[0-9a-f]{64}"));
        assertEquals(both.toString(), sent.getJSONArray("permissions").toString());
        Intent[] asked = {null};
        Terminal.until(() -> (asked[0] = shadowOf(terminal.application).getNextStartedActivity()) != null);
        assertEquals(ApprovalActivity.class.getName(), asked[0].getComponent().getClassName());

        Terminal.signIn(terminal.store);
        ApprovalActivity screen = Robolectric.buildActivity(ApprovalActivity.class, asked[0]).setup().get();
        String shown = ((TextView) screen.findViewById(R.id.permissions)).getText().toString();
        assertTrue(shown, shown.contains("sell subscriptions"));
        screen.findViewById(R.id.allow).performClick();
        Terminal.until(screen::isFinishing);
        assertEquals("session-1", terminal.server.last("POST", path + "/approval").headers().get("service-user-session"));
        assertEquals(both.toString(), terminal.server.last("POST", path + "/approval").json().getJSONArray("permissions").toString());
        assertTrue(terminal.store.apps.pending("com.example.fresh").isEmpty());
    }

    @Test
    public void aClerkCannotApproveAndReadsWhy() throws Exception {
        String path = "/terminal/apps/" + Terminal.APP;
        terminal.server.on("POST", path + "/approval", Answer.error(403, "FORBIDDEN"));
        terminal.store.session.start("s", "Lee", "CLERK");
        ApprovalActivity screen = Robolectric.buildActivity(ApprovalActivity.class,
                ApprovalActivity.intent(terminal.application, Terminal.APP)).setup().get();
        screen.findViewById(R.id.allow).performClick();
        TextView message = screen.findViewById(R.id.message);
        Terminal.until(() -> message.getText().toString().equals("M: FORBIDDEN"));
        assertFalse(screen.isFinishing());
    }

    @Test
    public void aRemovalAndAStartOfTheTerminalAreReported() throws Exception {
        terminal.getSubscriptions();
        int reported = terminal.server.count("PUT", "/terminal/apps/" + Terminal.APP);
        broadcast(Intent.ACTION_PACKAGE_REMOVED, Terminal.APP, true);
        new PackageWatcher().onReceive(terminal.application, new Intent(Intent.ACTION_BOOT_COMPLETED));
        Terminal.until(() -> terminal.server.count("PUT", "/terminal/apps/" + Terminal.APP) == reported + 1);
        assertEquals("an update removes nothing", 0, terminal.server.count("DELETE", "/terminal/apps/" + Terminal.APP));
        broadcast(Intent.ACTION_PACKAGE_REMOVED, Terminal.APP, false);
        Terminal.until(() -> terminal.server.count("DELETE", "/terminal/apps/" + Terminal.APP) == 1);
        assertNull(terminal.store.cache.find(Terminal.APP));
    }

    @Test
    public void anAppThatTheServerForgotIsReportedAgain() throws Exception {
        terminal.getSubscriptions();
        Map<String, Boolean> known = new HashMap<>();
        String signed = "/terminal/apps/" + Terminal.APP + "/subscriptions/signed";
        terminal.server.on("PUT", "/terminal/apps/" + Terminal.APP, request -> {
            known.put("it", true);
            return Answer.json(200, new JSONObject().put("permissionsToApprove", new JSONArray()));
        });
        terminal.server.on("GET", signed, request -> known.isEmpty() ? Answer.error(409, "APPLICATION_NOT_INSTALLED")
                : Answer.json(200, new JSONObject().put("jws", terminal.server.signed(Terminal.APP, FakeServer.envelope(new JSONArray())))));
        assertNull(terminal.getSubscriptions().error);
    }

    @Test
    public void anAppWithTwoSignersIsNotAnswered() throws Exception {
        android.content.pm.PackageInfo info = terminal.packages().getPackageInfo(Terminal.APP, android.content.pm.PackageManager.GET_SIGNATURES);
        info.signatures = new android.content.pm.Signature[] {new android.content.pm.Signature("a".getBytes()),
                new android.content.pm.Signature("b".getBytes())};
        shadowOf(terminal.packages()).installPackage(info);
        assertEquals("RELEASE_NOT_APPROVED", terminal.getSubscriptions().error.getCode());
    }

    private void broadcast(String action, String packageName, boolean isReplacing) {
        terminal.application.sendBroadcast(new Intent(action, Uri.fromParts("package", packageName, null))
                .putExtra(Intent.EXTRA_REPLACING, isReplacing));
        shadowOf(android.os.Looper.getMainLooper()).idle();
    }

    private static WebResourceRequest request(String url, boolean hasGesture) {
        return new WebResourceRequest() {
            @Override
            public Uri getUrl() {
                return Uri.parse(url);
            }

            @Override
            public boolean isForMainFrame() {
                return true;
            }

            @Override
            public boolean isRedirect() {
                return false;
            }

            @Override
            public boolean hasGesture() {
                return hasGesture;
            }

            @Override
            public String getMethod() {
                return "GET";
            }

            @Override
            public Map<String, String> getRequestHeaders() {
                return new HashMap<>();
            }
        };
    }
}
