package com.service.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.PendingIntent;
import android.content.Intent;
import android.content.pm.Signature;
import android.os.Bundle;
import android.view.View;
import android.webkit.WebView;
import android.widget.Button;
import android.widget.EditText;
import com.service.store.Terminal.Heard;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** The store on the JVM against a running Tillhook. Chromium stands in for the WebView. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 34)
public class EndToEndTest {
    @Rule public final Terminal terminal = new Terminal();
    @Rule public final Tillhook tillhook = new Tillhook();

    private static final Path APK = Tillhook.REPOSITORY.resolve("server/test/vectors/apk/version-1.apk");
    private String appId;
    private String planId;
    private String business;

    @Test
    public void aMerchantActivatesApprovesBuysAndIsSubscribedAlsoDuringAnOutage() throws Exception {
        publishApp();
        String activationCode = addMerchant();
        terminal.connect(tillhook.url());
        terminal.install(Terminal.APP, Terminal.UID, signerOf(APK), Callers.BILLING, "android.permission.CAMERA");

        assertEquals("TERMINAL_NOT_ACTIVATED", terminal.getPlans().error.getCode());
        activate(activationCode);
        assertEquals("PERMISSIONS_NOT_APPROVED", terminal.getPlans().error.getCode());
        approveAfterSigningIn();

        Heard plans = terminal.getPlans();
        assertNull(String.valueOf(plans.error), plans.error);
        assertEquals(planId, plans.json().getJSONArray("list").getJSONObject(0).getString("planId"));
        assertEquals(0, terminal.getSubscriptions().json().getInt("total"));

        assertEquals("closed without buying", Activity.RESULT_CANCELED, purchase(false));
        assertEquals(0, terminal.getSubscriptions().json().getInt("total"));
        assertEquals(Activity.RESULT_OK, purchase(true));
        JSONObject bought = terminal.getSubscriptions().json();
        assertFalse(bought.has("stale"));
        assertEquals(planId, bought.getJSONArray("list").getJSONObject(0).getString("planId"));
        assertEquals(appId, bought.getJSONArray("list").getJSONObject(0).getString("appId"));

        Bundle again = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan(planId));
        assertEquals("ALREADY_SUBSCRIBED", again.getString("RESPONSE_CODE"));
        assertEquals("APPROVAL_REQUIRED", InterfaceTest.grant(Terminal.UID, appId).error.getCode());
        // Decisions 8: the merchant's consent to share its data.
        tillhook.call("POST", business + "/approvals", new JSONObject().put("appId", appId));
        InterfaceTest.TokenHeard granted = InterfaceTest.grant(Terminal.UID, appId);
        assertNull(String.valueOf(granted.error), granted.error);
        assertEquals(appId, TokenBinder.subjectOf(granted.token.getAccessToken()));

        tillhook.stop();
        JSONObject during = terminal.getSubscriptions().json();
        assertTrue(during.getBoolean("stale"));
        assertEquals(planId, during.getJSONArray("list").getJSONObject(0).getString("planId"));
    }

    private void publishApp() throws Exception {
        JSONObject organization = tillhook.call("POST", "/organizations", new JSONObject().put("name", "Helpers").put("email", "dev@helpers.example"));
        appId = tillhook.call("POST", "/apps", new JSONObject().put("organizationId", organization.getString("organizationId"))
                .put("name", "Till helper").put("packageName", Terminal.APP)).getString("appId");
        JSONObject amount = new JSONObject().put("country", "US").put("currency", "USD").put("value", 500);
        JSONObject plan = new JSONObject().put("name", "Pro").put("interval", "MONTH").put("scope", "BUSINESS").put("amounts", new JSONArray().put(amount));
        JSONObject release = tillhook.release(appId, new JSONObject().put("version", "1.1").put("plans", new JSONArray().put(plan)), APK);
        tillhook.call("POST", "/apps/" + appId + "/releases/" + release.getString("releaseId") + "/approve", new JSONObject());
        planId = release.getJSONArray("plans").getJSONObject(0).getString("planId");
    }

    /** A merchant with a card, a terminal and a manager. Returns the activation code of the terminal. */
    private String addMerchant() throws Exception {
        business = "/businesses/" + tillhook.call("POST", "/businesses", new JSONObject().put("legalName", "Corner Shop")
                .put("emailAddress", "shop@example.com").put("country", "US").put("type", "TEST_MERCHANT")).getString("businessId");
        tillhook.call("POST", business + "/payment-methods", new JSONObject().put("gateway", "sandbox").put("token", "tok_ok"));
        tillhook.call("POST", business + "/users", new JSONObject().put("userId", "kim").put("passcode", "2468").put("name", "Kim").put("role", "MANAGER"));
        String store = tillhook.call("POST", business + "/stores", new JSONObject().put("displayName", "Main")).getString("storeId");
        return tillhook.call("POST", business + "/stores/" + store + "/devices", new JSONObject().put("name", "Till 1").put("serialNumber", "T-1"))
                .getString("activationCode");
    }

    private void activate(String code) throws Exception {
        HomeActivity home = Robolectric.buildActivity(HomeActivity.class).setup().get();
        ((EditText) home.findViewById(R.id.code)).setText(code);
        home.findViewById(R.id.activate).performClick();
        Terminal.until(() -> home.findViewById(R.id.activated).getVisibility() == View.VISIBLE);
    }

    private void approveAfterSigningIn() throws Exception {
        ApprovalActivity approval = Robolectric.buildActivity(ApprovalActivity.class,
                ApprovalActivity.intent(terminal.application, Terminal.APP)).setup().get();
        approval.findViewById(R.id.allow).performClick();
        Intent asked = shadowOf(approval).getNextStartedActivity();
        SignInActivity signIn = Robolectric.buildActivity(SignInActivity.class, asked).setup().get();
        ((EditText) signIn.findViewById(R.id.user_id)).setText("kim");
        ((EditText) signIn.findViewById(R.id.passcode)).setText("2468");
        signIn.findViewById(R.id.sign_in).performClick();
        Terminal.until(signIn::isFinishing);
        shadowOf(approval).receiveResult(asked, shadowOf(signIn).getResultCode(), null);
        Terminal.until(approval::isFinishing);
    }

    /** Starts BUY_INTENT, buys or not in the real purchase screen, closes it, and returns the result that the app gets. */
    private int purchase(boolean isBought) throws Exception {
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan(planId));
        assertNull(bundle.getString("RESPONSE_CODE"));
        Intent buys = shadowOf((PendingIntent) bundle.getParcelable("BUY_INTENT")).getSavedIntent();
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, buys).setup().get();
        WebView web = screen.findViewById(R.id.web);
        String url = shadowOf(web).getLastLoadedUrl();
        if (isBought) {
            buyInChromium(url);
            shadowOf(web).getWebViewClient().onPageFinished(web, url);
            Terminal.until(() -> ((Button) screen.findViewById(R.id.close)).getText().toString().equals("Done"));
        }
        screen.findViewById(R.id.close).performClick();
        Terminal.until(screen::isFinishing);
        return shadowOf(screen).getResultCode();
    }

    private static void buyInChromium(String url) throws Exception {
        Process browser = Tillhook.node("server/test/browser/buy.fixture.ts", url).redirectErrorStream(true).start();
        String said = new String(browser.getInputStream().readAllBytes());
        assertEquals(said, 0, browser.waitFor());
    }

    /** The certificate that signed an APK, from its v1 signature. */
    private static Signature signerOf(Path apk) throws Exception {
        try (JarFile jar = new JarFile(new File(apk.toString()), true)) {
            JarEntry manifest = jar.getJarEntry("AndroidManifest.xml");
            try (InputStream in = jar.getInputStream(manifest)) {
                in.readAllBytes();
            }
            return new Signature(manifest.getCertificates()[0].getEncoded());
        }
    }
}
