package com.service.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.PendingIntent;
import android.content.Intent;
import android.content.pm.PermissionInfo;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Bundle;
import com.service.store.FakeServer.Answer;
import com.service.store.Terminal.Heard;
import com.service.store.Terminal.Listener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowPendingIntent;
import org.robolectric.shadows.ShadowSystemClock;

/** Interface, On-terminal bound service: one test for each statement, in its order. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class InterfaceTest {
    @Rule public final Terminal terminal = new Terminal();

    private static final String PLAN = "0197a6a0-0000-7000-8000-0000000000cc";

    @Test
    public void bindingTakesAnExplicitIntentWithTheActionAndTheTargetPackage() {
        Intent intent = new Intent("com.service.store.ServiceInAppBillingService.BIND").setPackage("com.service.store");
        ResolveInfo found = terminal.packages().resolveService(intent, 0);
        assertEquals("com.service.store.ServiceInAppBillingService", found.serviceInfo.name);
        assertTrue(found.serviceInfo.exported);
        ServiceInAppBillingService service = Robolectric.buildService(ServiceInAppBillingService.class).create().get();
        assertNotNull(service.onBind(intent));
        assertNull(service.onBind(new Intent("com.service.store.ANOTHER")));
    }

    @Test
    public void theCallersManifestMustDeclareTheBillingPermission() throws Exception {
        for (Class<?> each : new Class<?>[] {ServiceInAppBillingService.class, ServiceTokenService.class}) {
            ServiceInfo service = terminal.packages().getServiceInfo(new android.content.ComponentName(terminal.application, each), 0);
            assertEquals("com.service.store.BILLING", service.permission);
        }
        PermissionInfo permission = terminal.packages().getPermissionInfo("com.service.store.BILLING", 0);
        assertEquals(PermissionInfo.PROTECTION_NORMAL, permission.protectionLevel & PermissionInfo.PROTECTION_MASK_BASE);
        // A binder that another app passed on does not help.
        terminal.install("com.example.none", 10_202, "signer");
        Listener listener = new Listener();
        terminal.bind(10_202).getSubscriptions("com.example.none", "r", listener);
        Heard heard = listener.take();
        assertEquals("PERMISSION_MISSING", heard.error.getCode());
        assertEquals("PERMISSION_MISSING", terminal.bind(10_202).getBillingIntent("com.example.none", new Bundle()).getString("RESPONSE_CODE"));
    }

    @Test
    public void theMerchantMustHaveGrantedDeclaredPermissionsAtInstall() throws Exception {
        String path = "/terminal/apps/" + Terminal.APP;
        terminal.server.on("PUT", path, Answer.json(200, new JSONObject(Map.of("permissionsToApprove", new JSONArray().put(Callers.BILLING)))));
        Heard heard = terminal.getSubscriptions();
        assertNull(heard.result);
        assertEquals("PERMISSIONS_NOT_APPROVED", heard.error.getCode());
        assertTrue(heard.error.getDeveloperMessage(), heard.error.getDeveloperMessage().contains(Callers.BILLING));
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, plan(PLAN));
        assertEquals("PERMISSIONS_NOT_APPROVED", bundle.getString("RESPONSE_CODE"));
        assertNull(bundle.get("BUY_INTENT"));
        // Granted on another terminal of the merchant meanwhile.
        terminal.server.handlers.clear();
        assertNull(terminal.getSubscriptions().error);
    }

    @Test
    public void packageNameIsVerifiedAgainstTheCallingSystemUid() throws Exception {
        terminal.install("com.example.other", 10_303, "signer", Callers.BILLING);
        for (String claimed : new String[] {Terminal.APP, "com.service.store", "no.such.app", "", null, "../../x"}) {
            Listener listener = new Listener();
            terminal.bind(10_303).getSubscriptions(claimed, "r-7", listener);
            Heard heard = listener.take();
            assertNull(heard.result);
            assertEquals("PACKAGE_MISMATCH", heard.error.getCode());
            assertEquals("r-7", heard.requestId);
            Bundle bundle = terminal.bind(10_303).getBillingIntent(claimed, plan(PLAN));
            assertEquals("PACKAGE_MISMATCH", bundle.getString("RESPONSE_CODE"));
        }
        assertEquals("nothing was asked in the name of another app", 0, terminal.server.count("GET",
                "/terminal/apps/" + Terminal.APP + "/subscriptions/signed"));
        Listener own = new Listener();
        terminal.bind(10_303).getSubscriptions("com.example.other", "r-8", own);
        assertNull(own.take().error);
    }

    @Test
    public void getSubscriptionsAnswersAsynchronouslyWithTheRequestId() throws Exception {
        Heard heard = terminal.getSubscriptions();
        assertNull(heard.error);
        assertEquals("request-1", heard.requestId);
        assertEquals(0, heard.json().getInt("total"));
        assertFalse(heard.json().has("stale"));
    }

    @Test
    public void getPlansListsThePlansOfThePackage() throws Exception {
        terminal.server.on("GET", "/terminal/apps/" + Terminal.APP + "/plans",
                Answer.json(200, FakeServer.envelope(new JSONArray().put(new JSONObject().put("planId", PLAN)))));
        assertEquals(PLAN, terminal.getPlans().json().getJSONArray("list").getJSONObject(0).getString("planId"));
    }

    @Test
    public void buyIntentLaunchesTheBillingScreenAndCannotBeMutated() throws Exception {
        Terminal.signIn(terminal.store);
        opensPurchases();
        PendingIntent intent = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, plan(PLAN)).getParcelable("BUY_INTENT");
        ShadowPendingIntent pending = shadowOf(intent);
        assertTrue(pending.isActivityIntent());
        assertTrue((pending.getFlags() & PendingIntent.FLAG_IMMUTABLE) != 0);
        assertEquals(PurchaseActivity.class.getName(), pending.getSavedIntent().getComponent().getClassName());
        assertFalse("no app starts the screen itself", terminal.packages().getActivityInfo(
                pending.getSavedIntent().getComponent(), 0).exported);
        PendingIntent another = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, plan(PLAN)).getParcelable("BUY_INTENT");
        assertNotNull(another);
    }

    @Test
    public void resultOkMeansThatTheServerConfirmedThePurchase() throws Exception {
        for (String payment : new String[] {"PAID", "NOTHING_DUE", "PENDING"}) {
            assertEquals(payment, Activity.RESULT_OK, resultOf("COMPLETED", payment));
        }
    }

    @Test
    public void resultCanceledMeansThatTheMerchantCancelled() throws Exception {
        assertEquals(Activity.RESULT_CANCELED, resultOf("OPEN", null));
        assertEquals("leaving cancels the purchase", 1, terminal.server.count("DELETE", "/terminal/purchases/" + FakeServer.PURCHASE));
        assertEquals(Activity.RESULT_CANCELED, resultOf("EXPIRED", null));
        assertEquals("a declined card is no purchase", Activity.RESULT_CANCELED, resultOf("COMPLETED", "DECLINED"));
    }

    @Test
    public void errors1AfterA401TheCallIsRepeatedWithANewToken() throws Exception {
        terminal.getSubscriptions();
        terminal.server.accessToken = "rotated";
        assertNull(terminal.getSubscriptions().error);
        assertEquals(2, terminal.server.count("POST", "/token"));
    }

    @Test
    public void errors3AFailedCallHasAnErrorAndNoResult() throws Exception {
        terminal.server.on("GET", "/terminal/apps/" + Terminal.APP + "/plans", Answer.error(404, "APPLICATION_NOT_FOUND"));
        Heard heard = terminal.getPlans();
        assertNull(heard.result);
        assertEquals("APPLICATION_NOT_FOUND", heard.error.getCode());
        assertEquals("M: APPLICATION_NOT_FOUND", heard.error.getMessage());
        assertEquals("D: APPLICATION_NOT_FOUND", heard.error.getDeveloperMessage());
        assertEquals("server-request", heard.error.getRequestId());
    }

    @Test
    public void errors4WithoutAPurchaseScreenThereIsNoBuyIntentButAReason() throws Exception {
        Terminal.signIn(terminal.store);
        terminal.server.on("POST", purchases(), Answer.error(409, "ALREADY_SUBSCRIBED"));
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, plan(PLAN));
        bundle.setClassLoader(ServiceError.class.getClassLoader());
        assertFalse(bundle.containsKey("BUY_INTENT"));
        assertEquals("ALREADY_SUBSCRIBED", bundle.getString("RESPONSE_CODE"));
        assertEquals("M: ALREADY_SUBSCRIBED", ((ServiceError) bundle.getParcelable("ERROR")).getMessage());
    }

    @Test
    public void onTerminalApps1ASessionEndsAfter15IdleMinutesAndWhenTheScreenGoesOff() throws Exception {
        terminal.server.on("POST", "/terminal/sessions", request -> {
            boolean isRight = request.json().getString("passcode").equals("2468");
            return isRight ? Answer.json(201, new JSONObject(Map.of("sessionToken", "s-1", "user", Map.of("name", "Kim", "role", "MANAGER"))))
                    : Answer.error(400, "INVALID_PASSCODE");
        });
        try {
            terminal.store.signIn("kim", "0000");
            throw new AssertionError("signed in with a wrong passcode");
        } catch (Failure wrong) {
            assertEquals("INVALID_PASSCODE", wrong.code);
        }
        terminal.store.signIn("kim", "2468");
        ShadowSystemClock.advanceBy(14, TimeUnit.MINUTES);
        terminal.store.session.touch();
        ShadowSystemClock.advanceBy(14, TimeUnit.MINUTES);
        assertEquals("s-1", terminal.store.session.token());
        ShadowSystemClock.advanceBy(1, TimeUnit.MINUTES);
        assertNull(terminal.store.session.token());
        terminal.store.signIn("kim", "2468");
        terminal.application.sendBroadcast(new Intent(Intent.ACTION_SCREEN_OFF));
        Terminal.until(() -> terminal.store.session.token() == null
                && terminal.server.count("DELETE", "/terminal/sessions/current") == 1);
    }

    @Test
    public void onTerminalApps2AnAppGetsATokenForTheCurrentUserAndOnlyItsOwn() throws Exception {
        String jwt = "h." + Jws.encode(new JSONObject().put("sub", FakeServer.APP).toString().getBytes()) + ".s";
        terminal.server.on("POST", "/terminal/apps/" + Terminal.APP + "/token", request ->
                "session-1".equals(request.headers().get("service-user-session"))
                        ? Answer.json(201, new JSONObject(Map.of("accessToken", jwt, "expiresIn", 3600, "scope", "ALL", "tokenType", "BEARER")))
                        : Answer.error(401, "INVALID_USER_SESSION"));
        assertEquals("INVALID_USER_SESSION", grant(Terminal.UID, FakeServer.APP).error.getCode());
        Terminal.signIn(terminal.store);
        TokenHeard granted = grant(Terminal.UID, FakeServer.APP);
        assertNull(granted.error);
        assertEquals(jwt, granted.token.getAccessToken());
        assertEquals(3600, granted.token.getExpiresIn());
        assertEquals("PACKAGE_MISMATCH", grant(Terminal.UID, "urn:aid:another").error.getCode());
        assertEquals("PACKAGE_MISMATCH", grant(10_999, FakeServer.APP).error.getCode());
    }

    /** The same cases that the simulator is tested with. */
    @Test
    public void whatAnAppReceivesIsWhatTheSharedVectorsSay() throws Exception {
        String text = Files.readString(Path.of(System.getProperty("contract"), "billing.json"));
        JSONArray cases = new JSONObject(text.replace("{base_url}", terminal.server.url())).getJSONArray("cases");
        for (int i = 0; i < cases.length(); i++) checkVector(cases.getJSONObject(i));
        assertTrue(cases.length() >= 10);
    }

    private void checkVector(JSONObject vector) throws Exception {
        String name = vector.getString("name");
        JSONObject played = vector.getJSONObject("server");
        JSONObject expected = vector.getJSONObject("expect");
        Terminal.signIn(terminal.store);
        terminal.server.handlers.clear();
        String path = played.getString("path");
        boolean isSigned = path.endsWith("/subscriptions");
        terminal.server.on(played.getString("method"), isSigned ? path + "/signed" : path, request -> {
            int status = played.getInt("status");
            JSONObject body = played.getJSONObject("body");
            return Answer.json(status, isSigned && status == 200
                    ? new JSONObject().put("jws", terminal.server.signed(Terminal.APP, body)) : body);
        });
        if (vector.has("last")) {
            JSONObject before = new JSONObject(played.toString()).put("status", 200).put("body", vector.getJSONObject("last"));
            checkVector(new JSONObject(vector.toString()).put("server", before)
                    .put("expect", new JSONObject().put("result", "server.body").put("error", JSONObject.NULL)).put("last", (Object) null));
            terminal.server.on("GET", path + "/signed", Answer.json(played.getInt("status"), played.getJSONObject("body")));
        }
        if (vector.getString("operation").equals("getBillingIntent")) {
            checkBundle(name, vector, played, expected);
            return;
        }
        Listener listener = new Listener();
        IServiceInAppBillingService service = terminal.bind(Terminal.UID);
        String requestId = vector.getString("requestId");
        if (vector.getString("operation").equals("getPlans")) service.getPlans(Terminal.APP, requestId, listener);
        else service.getSubscriptions(Terminal.APP, requestId, listener);
        Heard heard = listener.take();
        assertEquals(name, requestId, heard.requestId);
        if (expected.isNull("error")) {
            assertNull(name, heard.error);
            JSONObject result = expected.optJSONObject("result");
            if (result == null) result = played.getJSONObject("body");
            else assertTrue(name, heard.json().getString("staleSince").matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"));
            JSONObject shown = heard.json();
            if (shown.has("staleSince")) shown.put("staleSince", "{timestamp}");
            assertEquals(name, canonical(result), canonical(shown));
        } else {
            assertNull(name, heard.result);
            assertError(name, expected.getJSONObject("error"), heard.error);
        }
    }

    private void checkBundle(String name, JSONObject vector, JSONObject played, JSONObject expected) throws Exception {
        Bundle extras = new Bundle();
        JSONObject given = vector.getJSONObject("extras");
        for (java.util.Iterator<String> keys = given.keys(); keys.hasNext(); ) {
            String key = keys.next();
            if (given.get(key) instanceof Boolean) extras.putBoolean(key, given.getBoolean(key));
            else extras.putString(key, given.getString(key));
        }
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, extras);
        bundle.setClassLoader(ServiceError.class.getClassLoader());
        TreeSet<String> keys = new TreeSet<>();
        for (int i = 0; i < expected.getJSONArray("keys").length(); i++) keys.add(expected.getJSONArray("keys").getString(i));
        assertEquals(name, keys, new TreeSet<>(bundle.keySet()));
        assertEquals(name, canonical(played.getJSONObject("sent")), canonical(terminal.server.last("POST", purchases()).json()));
        if (expected.has("opens")) {
            Intent opens = shadowOf((PendingIntent) bundle.getParcelable("BUY_INTENT")).getSavedIntent();
            assertEquals(name, expected.getJSONObject("opens").getString("url"), opens.getStringExtra(PurchaseActivity.URL));
            assertEquals(name, expected.getJSONObject("opens").getString("purchaseId"), opens.getStringExtra(PurchaseActivity.PURCHASE_ID));
        } else {
            assertEquals(name, expected.getString("RESPONSE_CODE"), bundle.getString("RESPONSE_CODE"));
            assertError(name, expected.getJSONObject("ERROR"), bundle.getParcelable("ERROR"));
        }
    }

    private static void assertError(String name, JSONObject expected, ServiceError error) throws Exception {
        assertEquals(name, expected.getString("code"), error.getCode());
        assertEquals(name, expected.getString("message"), error.getMessage());
        assertEquals(name, expected.getString("developerMessage"), error.getDeveloperMessage());
        assertEquals(name, expected.getString("requestId"), error.getRequestId());
    }

    /** JSON without regard to the order of keys. */
    private static String canonical(Object value) throws Exception {
        if (value instanceof JSONObject) {
            StringBuilder text = new StringBuilder("{");
            TreeSet<String> keys = new TreeSet<>();
            ((JSONObject) value).keys().forEachRemaining(keys::add);
            for (String key : keys) text.append(key).append(':').append(canonical(((JSONObject) value).get(key))).append(',');
            return text.append('}').toString();
        }
        if (value instanceof JSONArray) {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < ((JSONArray) value).length(); i++) text.append(canonical(((JSONArray) value).get(i))).append(',');
            return text.append(']').toString();
        }
        return String.valueOf(value);
    }

    private int resultOf(String status, String payment) throws Exception {
        Terminal.signIn(terminal.store);
        opensPurchases();
        JSONObject purchase = new JSONObject().put("status", status);
        if (payment != null) purchase.put("payment", new JSONObject().put("status", payment));
        terminal.server.on("GET", "/terminal/purchases/" + FakeServer.PURCHASE, Answer.json(200, purchase));
        PendingIntent intent = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, plan(PLAN)).getParcelable("BUY_INTENT");
        PurchaseActivity screen = Robolectric.buildActivity(PurchaseActivity.class, shadowOf(intent).getSavedIntent()).setup().get();
        screen.findViewById(R.id.close).performClick();
        Terminal.until(screen::isFinishing);
        return shadowOf(screen).getResultCode();
    }

    private void opensPurchases() {
        terminal.server.on("POST", purchases(), Answer.json(201, new JSONObject(Map.of("purchaseId", FakeServer.PURCHASE, "status", "OPEN",
                "url", terminal.server.url() + "/purchases/" + FakeServer.PURCHASE + "?key=k"))));
    }

    static String purchases() {
        return "/terminal/apps/" + Terminal.APP + "/purchases";
    }

    static Bundle plan(String planId) {
        Bundle extras = new Bundle();
        extras.putString("plan_id", planId);
        return extras;
    }

    static final class TokenHeard {
        TokenResponse token;
        ServiceError error;
    }

    static TokenHeard grant(int uid, String appId) throws Exception {
        ServiceTokenService service = Robolectric.buildService(ServiceTokenService.class).create().get();
        IServiceTokenService tokens = IServiceTokenService.Stub.asInterface(
                new RemoteBinder(service.onBind(new Intent(ServiceTokenService.ACTION)), uid));
        java.util.concurrent.BlockingQueue<TokenHeard> heard = new java.util.concurrent.LinkedBlockingQueue<>();
        RemoteBinder listener = new RemoteBinder(new IServiceTokenServiceListener.Stub() {
            @Override
            public void onResponse(TokenResponse token, ServiceError error) {
                TokenHeard each = new TokenHeard();
                each.token = token;
                each.error = error;
                heard.add(each);
            }
        }, uid);
        tokens.grantToken(appId, new IServiceTokenServiceListener() {
            @Override
            public void onResponse(TokenResponse token, ServiceError error) {
                throw new AssertionError("not marshalled");
            }

            @Override
            public android.os.IBinder asBinder() {
                return listener;
            }
        });
        TokenHeard first = heard.poll(60, TimeUnit.SECONDS);
        assertNotNull(first);
        return first;
    }

}
