package com.service.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.robolectric.Shadows.shadowOf;

import android.os.Bundle;
import android.os.Parcel;
import android.os.Parcelable;
import com.service.store.FakeServer.Answer;
import com.service.store.Terminal.Heard;
import com.service.store.Terminal.Listener;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.json.JSONObject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** Bad input, failing servers, and apps that behave badly. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class FaultsTest {
    @Rule public final Terminal terminal = new Terminal();

    private static final String PLANS = "/terminal/apps/" + Terminal.APP + "/plans";

    @Test
    public void everyPackageOfASharedUidMayBeNamedAndNoOther() throws Exception {
        terminal.install("com.example.one", 10_400, "signer", Callers.BILLING);
        terminal.install("com.example.two", 10_400, "signer", Callers.BILLING);
        shadowOf(terminal.packages()).setPackagesForUid(10_400, "com.example.one", "com.example.two");
        for (String each : new String[] {"com.example.one", "com.example.two", Terminal.APP}) {
            Listener listener = new Listener();
            terminal.bind(10_400).getSubscriptions(each, "r", listener);
            ServiceError error = listener.take().error;
            if (each.equals(Terminal.APP)) assertEquals("PACKAGE_MISMATCH", error.getCode());
            else assertNull(error);
        }
    }

    @Test
    public void aTokenForASharedUidBelongsToTheAppThatIsNamed() throws Exception {
        terminal.install("com.example.one", 10_400, "signer", Callers.BILLING);
        terminal.install("com.example.two", 10_400, "signer", Callers.BILLING);
        shadowOf(terminal.packages()).setPackagesForUid(10_400, "com.example.one", "com.example.two");
        Terminal.signIn(terminal.store);
        issueTokens("com.example.one", "urn:aid:one");
        issueTokens("com.example.two", "urn:aid:two");
        for (String each : new String[] {"urn:aid:one", "urn:aid:two"}) {
            InterfaceTest.TokenHeard granted = InterfaceTest.grant(10_400, each);
            assertNull(String.valueOf(granted.error), granted.error);
            assertEquals(each, TokenBinder.subjectOf(granted.token.getAccessToken()));
        }
        for (String each : new String[] {"urn:aid:three", "", null}) {
            assertEquals("PACKAGE_MISMATCH", InterfaceTest.grant(10_400, each).error.getCode());
        }
    }

    private void issueTokens(String packageName, String appId) throws Exception {
        String jwt = "h." + Jws.encode(new JSONObject().put("sub", appId).toString().getBytes()) + ".s";
        terminal.server.on("POST", "/terminal/apps/" + packageName + "/token", Answer.json(201,
                new JSONObject().put("accessToken", jwt).put("expiresIn", 3600).put("scope", "ALL").put("tokenType", "BEARER")));
    }

    @Test
    public void anotherAppStartsNoScreenOfTheStoreButItsHome() throws Exception {
        android.content.pm.PackageInfo store = terminal.packages().getPackageInfo("com.service.store",
                android.content.pm.PackageManager.GET_ACTIVITIES | android.content.pm.PackageManager.GET_RECEIVERS);
        assertEquals(4, store.activities.length);
        for (android.content.pm.ActivityInfo each : store.activities) {
            assertEquals(each.name, each.name.equals(HomeActivity.class.getName()), each.exported);
        }
        for (android.content.pm.ActivityInfo each : store.receivers) assertFalse(each.name, each.exported);
    }

    @Test
    public void aNullCallbackIsAnExceptionOfTheCallerAndAsksNothing() throws Exception {
        try {
            terminal.bind(Terminal.UID).getSubscriptions(Terminal.APP, "r", null);
            fail("a null callback was taken");
        } catch (IllegalArgumentException expected) {
            assertTrue(expected.getMessage().contains("callback"));
        }
        assertEquals(0, terminal.server.count("POST", "/token"));
    }

    @Test
    public void aCallbackWhoseProcessDiedHarmsNoOtherCall() throws Exception {
        Listener dead = new Listener();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch died = new CountDownLatch(1);
        terminal.server.on("GET", PLANS, request -> {
            asked.countDown();
            died.await();
            return Answer.error(404, "APPLICATION_NOT_FOUND");
        });
        terminal.bind(Terminal.UID).getPlans(Terminal.APP, "r", dead);
        asked.await();
        dead.binder.isDead = true;
        died.countDown();
        terminal.server.handlers.clear();
        assertNull(terminal.getPlans().error);
        assertTrue(dead.heard.isEmpty());
    }

    @Test
    public void extrasThatAreMissingOfAnotherTypeOrTooLargeAreNamed() throws Exception {
        Terminal.signIn(terminal.store);
        IServiceInAppBillingService service = terminal.bind(Terminal.UID);
        Bundle number = new Bundle();
        number.putInt("plan_id", 7);
        Bundle large = InterfaceTest.plan(new String(new char[1024 * 1024]).replace('\0', 'x'));
        Bundle word = InterfaceTest.plan("0197a6a0-0000-7000-8000-0000000000cc");
        word.putString("replace", "yes");
        for (Bundle extras : new Bundle[] {null, new Bundle(), number, large, word, InterfaceTest.plan("")}) {
            Bundle answer = service.getBillingIntent(Terminal.APP, extras);
            answer.setClassLoader(ServiceError.class.getClassLoader());
            assertEquals("INVALID_PARAMETER", answer.getString("RESPONSE_CODE"));
            ServiceError error = answer.getParcelable("ERROR");
            assertTrue(error.getDeveloperMessage(), error.getDeveloperMessage().startsWith("extras: "));
            assertNotNull(error.getRequestId());
        }
        assertEquals(0, terminal.server.count("POST", InterfaceTest.purchases()));
    }

    /** A class that only the app has. */
    public static final class OfTheApp implements Parcelable {
        @Override
        public int describeContents() {
            return 0;
        }

        @Override
        public void writeToParcel(Parcel out, int flags) {}
    }

    @Test
    public void extrasWithAClassThatTheStoreDoesNotHaveAreRejected() throws Exception {
        Bundle extras = InterfaceTest.plan("0197a6a0-0000-7000-8000-0000000000cc");
        extras.putParcelable("own", new OfTheApp());
        Bundle answer = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, extras);
        // From Android 13 on a bundle is read entry by entry, and unknown extras are never looked at.
        assertTrue(String.valueOf(answer.getString("RESPONSE_CODE")), answer.containsKey("BUY_INTENT")
                || "INVALID_PARAMETER".equals(answer.getString("RESPONSE_CODE")));
    }

    @Test
    public void anUnavailableServerIsReportedAsUnreachable() throws Exception {
        terminal.server.on("GET", PLANS, new Answer(0, ""));
        assertEquals("UNREACHABLE", terminal.getPlans().error.getCode());
        terminal.server.close();
        assertEquals("UNREACHABLE", terminal.getPlans().error.getCode());
        Terminal.signIn(terminal.store);
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan("p"));
        assertEquals("UNREACHABLE", bundle.getString("RESPONSE_CODE"));
    }

    @Test
    public void aSlowServerIsGivenUpWithinThreeSecondsWhereAnAppWaits() throws Exception {
        Terminal.signIn(terminal.store);
        terminal.getPlans();
        CountDownLatch over = new CountDownLatch(1);
        terminal.server.on("POST", InterfaceTest.purchases(), request -> {
            over.await();
            return Answer.error(404, "PLAN_NOT_FOUND");
        });
        long from = System.nanoTime();
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan("p"));
        over.countDown();
        assertEquals("UNREACHABLE", bundle.getString("RESPONSE_CODE"));
        long seconds = (System.nanoTime() - from) / 1_000_000_000;
        assertTrue("it took " + seconds + " s", seconds >= 2 && seconds < 20);
    }

    @Test
    public void errorsOfTheServerKeepTheirCodes() throws Exception {
        for (Object[] each : new Object[][] {{409, "APPLICATION_DISABLED"}, {503, "SERVICE_UNAVAILABLE"}, {429, "TOO_MANY_REQUESTS"},
                {500, "INTERNAL_ERROR"}, {403, "FORBIDDEN"}}) {
            terminal.server.on("GET", PLANS, Answer.error((Integer) each[0], (String) each[1]));
            assertEquals(each[1], terminal.getPlans().error.getCode());
        }
        terminal.server.on("GET", PLANS, Answer.error(401, "INVALID_ACCESS_TOKEN"));
        int before = terminal.server.count("GET", PLANS);
        assertEquals("INVALID_ACCESS_TOKEN", terminal.getPlans().error.getCode());
        assertEquals("repeated once and no more", before + 2, terminal.server.count("GET", PLANS));
    }

    @Test
    public void anAnswerOutsideTheInterfaceIsReportedAsInvalid() throws Exception {
        for (String text : new String[] {"<html>Sign in to the Wi-Fi</html>", "{\"list\":", "[]", "null", "", "{}"}) {
            terminal.server.on("GET", PLANS, new Answer(200, text));
            Heard heard = terminal.getPlans();
            assertNull(heard.result);
            assertEquals(text, "INVALID_RESPONSE", heard.error.getCode());
            terminal.server.on("GET", PLANS, new Answer(502, text));
            assertEquals(text, "INVALID_RESPONSE", terminal.getPlans().error.getCode());
        }
    }

    @Test
    public void oneHundredConcurrentCallsEachGetTheirOwnAnswer() throws Exception {
        Listener listener = new Listener();
        IServiceInAppBillingService service = terminal.bind(Terminal.UID);
        for (int i = 0; i < 100; i++) service.getSubscriptions(Terminal.APP, "r" + i, listener);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Heard heard = listener.take();
            assertNull(heard.error);
            ids.add(heard.requestId);
        }
        assertEquals(100, ids.size());
        assertEquals("one token serves them all", 1, terminal.server.count("POST", "/token"));
    }

    @Test
    public void callsBeyondTheQueueAreRejectedAtOnceAndNeverLost() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        terminal.server.on("GET", PLANS, request -> {
            open.await();
            return Answer.json(200, FakeServer.envelope(new org.json.JSONArray()));
        });
        Listener listener = new Listener();
        IServiceInAppBillingService service = terminal.bind(Terminal.UID);
        for (int i = 0; i < 400; i++) service.getPlans(Terminal.APP, "r" + i, listener);
        open.countDown();
        int rejected = 0;
        for (int i = 0; i < 400; i++) {
            Heard heard = listener.take();
            if (heard.error != null && heard.error.getCode().equals("TOO_MANY_REQUESTS")) rejected++;
        }
        assertTrue("rejected " + rejected, rejected >= 100 && rejected <= 140);
    }

    @Test
    public void aClientThatNeverUnbindsOrCallsAfterUnbindingIsAnswered() throws Exception {
        IServiceInAppBillingService kept = terminal.bind(Terminal.UID);
        for (int i = 0; i < 50; i++) terminal.bind(Terminal.UID);
        terminal.restart();
        Listener listener = new Listener();
        kept.getSubscriptions(Terminal.APP, "r", listener);
        assertNull(listener.take().error);
    }

    @Test
    public void aRequestIdThatNoHeaderCarriesStaysBetweenAppAndService() throws Exception {
        for (String id : new String[] {null, "", "a\r\nauthorization: x", "ä", new String(new char[5000]).replace('\0', 'x')}) {
            Listener listener = new Listener();
            terminal.bind(Terminal.UID).getPlans(Terminal.APP, id, listener);
            Heard heard = listener.take();
            assertNull(heard.error);
            assertEquals(id, heard.requestId);
            assertFalse(String.valueOf(id).equals(terminal.server.last("GET", PLANS).headers().get("service-request-id")));
        }
        Listener listener = new Listener();
        terminal.bind(Terminal.UID).getPlans(Terminal.APP, "plain-1", listener);
        listener.take();
        assertEquals("plain-1", terminal.server.last("GET", PLANS).headers().get("service-request-id"));
    }

    @Test
    public void aDeviceClockADayOffIsCorrectedByTheServersTime() throws Exception {
        for (long skew : new long[] {86_400_000L * 2, -86_400_000L}) {
            terminal.server.skewMs = skew;
            terminal.restart();
            terminal.server.accessToken = "gone";
            assertNull("skew " + skew, terminal.getPlans().error);
        }
    }

    @Test
    public void aRevokedTerminalForgetsItsMerchantAndSaysWhatToDo() throws Exception {
        terminal.getSubscriptions();
        terminal.server.isRevoked = true;
        terminal.server.accessToken = "gone";
        assertEquals("TERMINAL_NOT_ACTIVATED", terminal.getSubscriptions().error.getCode());
        assertNull(terminal.store.identity());
        assertEquals("no list stays", 0, new java.io.File(terminal.application.getNoBackupFilesDir(), "subscriptions").list().length);
        Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan("p"));
        assertEquals("TERMINAL_NOT_ACTIVATED", bundle.getString("RESPONSE_CODE"));
        // A new code brings it back.
        terminal.store.activate(terminal.server.activationCode);
        assertNull(terminal.getSubscriptions().error);
    }

    @Test
    public void aWrongActivationCodeLeavesTheKeyInUse() throws Exception {
        try {
            terminal.store.activate("WRONG");
            fail("a wrong code was taken");
        } catch (Failure expected) {
            assertEquals("ACTIVATION_CODE_INVALID", expected.code);
        }
        assertNull(terminal.getSubscriptions().error);
        terminal.store.activate(terminal.server.activationCode);
        assertEquals("old keys are deleted", 1, FakeKeystore.KEYS.size());
    }

    @Test
    public void aPurchaseUrlOfAnotherOriginIsNeverShown() throws Exception {
        Terminal.signIn(terminal.store);
        for (String url : new String[] {"https://evil.example/purchases/1", "file:///etc/hosts", "javascript:alert(1)", "//x", ""}) {
            terminal.server.on("POST", InterfaceTest.purchases(),
                    Answer.json(201, new JSONObject().put("purchaseId", FakeServer.PURCHASE).put("url", url)));
            Bundle bundle = terminal.bind(Terminal.UID).getBillingIntent(Terminal.APP, InterfaceTest.plan("p"));
            assertEquals(url, "INVALID_RESPONSE", bundle.getString("RESPONSE_CODE"));
        }
    }
}
