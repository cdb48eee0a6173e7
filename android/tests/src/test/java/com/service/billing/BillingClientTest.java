package com.service.billing;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.Application;
import android.app.PendingIntent;
import android.content.ComponentName;
import android.content.Intent;
import android.os.Bundle;
import android.os.IBinder;
import android.os.Looper;
import com.service.billing.testing.FakeBilling;
import com.service.store.IServiceInAppBillingService;
import com.service.store.IServiceInAppBillingServiceListener;
import com.service.store.ServiceError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** What the library does for an app: connection, retries, types, and the fake. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class BillingClientTest {
    private static final ComponentName NAME = new ComponentName("com.service.store", "com.service.store.ServiceInAppBillingService");
    private static final String ONE = "{\"list\":[{\"subscriptionId\":\"s\",\"planId\":\"p\",\"phase\":\"FULL\",\"status\":\"ACTIVE\","
            + "\"startAt\":\"2026-01-01T00:00:00Z\"}],\"start\":0,\"total\":1,\"count\":1}";

    private final Application application = RuntimeEnvironment.getApplication();
    private final Service service = new Service();
    private BillingClient client;

    /** The store app; each call waits until the test answers it. */
    private static final class Service extends IServiceInAppBillingService.Stub {
        final List<IServiceInAppBillingServiceListener> callbacks = new ArrayList<>();
        final List<String> ids = new ArrayList<>();
        volatile Bundle bundle = new Bundle();

        @Override
        public void getSubscriptions(String packageName, String requestId, IServiceInAppBillingServiceListener callback) {
            callbacks.add(callback);
            ids.add(requestId);
        }

        @Override
        public void getPlans(String packageName, String requestId, IServiceInAppBillingServiceListener callback) {
            getSubscriptions(packageName, requestId, callback);
        }

        @Override
        public Bundle getBillingIntent(String packageName, Bundle extras) {
            bundle.putAll(extras);
            return bundle;
        }

        void answer(int call, String resultJson, ServiceError error) throws Exception {
            callbacks.get(call).onResponse(resultJson, error, ids.get(call));
            shadowOf(Looper.getMainLooper()).idle();
        }
    }

    @Before
    public void bindable() {
        shadowOf(application).setComponentNameAndServiceForBindService(NAME, service);
        client = new BillingClient(application);
    }

    private static ServiceError error(String code) {
        return new ServiceError(code, "m", "d", "r");
    }

    private static <T> T resultOf(CompletableFuture<T> future) throws Exception {
        shadowOf(Looper.getMainLooper()).idle();
        return future.get(0, TimeUnit.SECONDS);
    }

    private static String codeOf(CompletableFuture<?> future) throws Exception {
        try {
            resultOf(future);
            fail("it succeeded");
            return null;
        } catch (ExecutionException e) {
            return ((BillingException) e.getCause()).getCode();
        }
    }

    @Test
    public void aCallBindsExplicitlyAndTheAnswerIsTyped() throws Exception {
        CompletableFuture<Subscriptions> asked = client.getSubscriptions();
        shadowOf(Looper.getMainLooper()).idle();
        Intent bound = shadowOf(application).getNextStartedService();
        assertEquals("com.service.store", bound.getPackage());
        assertEquals("com.service.store.ServiceInAppBillingService.BIND", bound.getAction());
        service.answer(0, ONE, null);
        Subscriptions subscriptions = resultOf(asked);
        assertTrue(subscriptions.isActive());
        assertTrue(subscriptions.isActive("p"));
        assertFalse(subscriptions.isActive("q"));
        assertFalse(subscriptions.isStale);
    }

    @Test
    public void aStaleListSaysSo() throws Exception {
        CompletableFuture<Subscriptions> asked = client.getSubscriptions();
        shadowOf(Looper.getMainLooper()).idle();
        service.answer(0, ONE.replace("\"start\"", "\"stale\":true,\"staleSince\":\"2026-01-02T00:00:00Z\",\"start\""), null);
        assertTrue(resultOf(asked).isStale);
        assertEquals("2026-01-02T00:00:00Z", resultOf(asked).staleSince);
    }

    @Test
    public void failuresThatMayPassAreRetriedAndOthersAreNot() throws Exception {
        CompletableFuture<List<Plan>> asked = client.getPlans();
        shadowOf(Looper.getMainLooper()).idle();
        service.answer(0, null, error("SERVICE_UNAVAILABLE"));
        shadowOf(Looper.getMainLooper()).idleFor(499, TimeUnit.MILLISECONDS);
        assertEquals(1, service.ids.size());
        shadowOf(Looper.getMainLooper()).idleFor(1, TimeUnit.MILLISECONDS);
        assertEquals("another attempt has another id", 2, service.ids.stream().distinct().count());
        service.answer(0, "{\"list\":[]}", null);
        assertFalse("a late answer to the first attempt", asked.isDone());
        service.answer(1, "{\"list\":[]}", null);
        assertEquals(0, resultOf(asked).size());

        CompletableFuture<List<Plan>> rejected = client.getPlans();
        shadowOf(Looper.getMainLooper()).idle();
        service.answer(2, null, error("PACKAGE_MISMATCH"));
        assertEquals("PACKAGE_MISMATCH", codeOf(rejected));

        CompletableFuture<List<Plan>> away = client.getPlans();
        for (int attempt = 3; attempt < 6; attempt++) {
            shadowOf(Looper.getMainLooper()).idleFor(2, TimeUnit.SECONDS);
            service.answer(attempt, null, error("UNREACHABLE"));
        }
        assertEquals("UNREACHABLE", codeOf(away));
        assertEquals(6, service.ids.size());
    }

    @Test
    public void invalidAnswersFailWithoutARetry() throws Exception {
        for (String text : new String[] {null, "", "[]", "{}", "{\"list\":[{}]}", "{\"list\":7}"}) {
            CompletableFuture<Subscriptions> asked = client.getSubscriptions();
            shadowOf(Looper.getMainLooper()).idle();
            service.answer(service.ids.size() - 1, text, null);
            assertEquals(text, "INVALID_RESPONSE", codeOf(asked));
        }
    }

    @Test
    public void aStoreThatNeverAnswersTimesOut() throws Exception {
        CompletableFuture<Subscriptions> asked = client.getSubscriptions();
        shadowOf(Looper.getMainLooper()).idleFor(4, TimeUnit.MINUTES);
        assertEquals("TIMEOUT", codeOf(asked));
        assertEquals(3, service.ids.size());
    }

    @Test
    public void aStoreThatStopsDuringACallIsAskedAgainWhenItIsBack() throws Exception {
        CompletableFuture<Subscriptions> asked = client.getSubscriptions();
        shadowOf(Looper.getMainLooper()).idle();
        android.content.ServiceConnection connection = shadowOf(application).getBoundServiceConnections().get(0);
        connection.onServiceDisconnected(NAME);
        connection.onServiceConnected(NAME, (IBinder) service);
        shadowOf(Looper.getMainLooper()).idleFor(1, TimeUnit.SECONDS);
        service.answer(1, ONE, null);
        assertTrue(resultOf(asked).isActive());
    }

    @Test
    public void withoutAStoreAppTheReasonIsNamed() throws Exception {
        shadowOf(application).declareActionUnbindable("com.service.store.ServiceInAppBillingService.BIND");
        assertEquals("SERVICE_MISSING", codeOf(client.getSubscriptions()));
    }

    @Test
    public void theClientOfAnActivityUnbindsWithIt() throws Exception {
        ActivityController<Activity> controller = Robolectric.buildActivity(Activity.class).setup();
        BillingClient own = BillingClient.of(controller.get());
        CompletableFuture<Subscriptions> asked = own.getSubscriptions();
        shadowOf(Looper.getMainLooper()).idle();
        assertEquals(1, shadowOf(application).getBoundServiceConnections().size());
        controller.pause().stop().destroy();
        assertEquals(0, shadowOf(application).getBoundServiceConnections().size());
        assertEquals("DISCONNECTED", codeOf(asked));
        assertEquals("DISCONNECTED", codeOf(own.getSubscriptions()));
    }

    @Test
    public void aPurchaseIsStartedForResultOrSaysWhyNot() throws Exception {
        Activity activity = Robolectric.buildActivity(Activity.class).setup().get();
        Intent screen = new Intent("screen");
        service.bundle.putParcelable("BUY_INTENT", PendingIntent.getActivity(application, 0, screen, PendingIntent.FLAG_IMMUTABLE));
        CompletableFuture<Void> started = client.startPurchase(activity, PurchaseRequest.changeTo("p"), 7);
        until(started);
        assertEquals("p", service.bundle.getString("plan_id"));
        assertTrue(service.bundle.getBoolean("replace"));
        assertEquals("screen", shadowOf(activity).getNextStartedActivityForResult().intent.getAction());

        service.bundle = new Bundle();
        service.bundle.putParcelable("ERROR", error("ALREADY_SUBSCRIBED"));
        CompletableFuture<Void> rejected = client.startPurchase(activity, PurchaseRequest.subscribe("p"), 7);
        until(rejected);
        assertEquals("ALREADY_SUBSCRIBED", codeOf(rejected));
        service.bundle = new Bundle();
        CompletableFuture<Void> silent = client.startPurchase(activity, PurchaseRequest.restore("s"), 7);
        until(silent);
        assertEquals("NO_PURCHASE", codeOf(silent));
    }

    @Test
    public void aFakedResultOkUnlocksNothing() throws Exception {
        CompletableFuture<Subscriptions> confirmed = client.onPurchaseResult(Activity.RESULT_OK, new Intent().putExtra("isActive", true));
        shadowOf(Looper.getMainLooper()).idle();
        service.answer(0, "{\"list\":[],\"start\":0,\"total\":0,\"count\":0}", null);
        assertFalse(resultOf(confirmed).isActive());
    }

    @Test
    public void callbacksRunOnTheMainThread() throws Exception {
        List<Thread> ran = new ArrayList<>();
        client.getSubscriptions(new BillingClient.Callback<Subscriptions>() {
            @Override
            public void onSuccess(Subscriptions result) {
                ran.add(Thread.currentThread());
            }

            @Override
            public void onFailure(BillingException failure) {
                throw new AssertionError(failure);
            }
        });
        shadowOf(Looper.getMainLooper()).idle();
        Thread binder = new Thread(() -> {
            try {
                service.callbacks.get(0).onResponse(ONE, null, service.ids.get(0));
            } catch (android.os.RemoteException e) {
                throw new AssertionError(e);
            }
        });
        binder.start();
        binder.join();
        shadowOf(Looper.getMainLooper()).idle();
        assertSame(Looper.getMainLooper().getThread(), ran.get(0));
    }

    @Test
    public void aPriceHasTheDecimalsOfItsCurrency() throws Exception {
        assertEquals("$5.00", priceOf(500, "USD"));
        assertEquals("$0.05", priceOf(5, "USD"));
        assertEquals("¥500", priceOf(500, "JPY"));
        assertTrue(priceOf(99_999_999, "USD"), priceOf(99_999_999, "USD").equals("$999,999.99"));
        assertTrue(priceOf(1250, "KWD"), priceOf(1250, "KWD").endsWith("1.250"));
    }

    private static String priceOf(long amount, String currency) throws Exception {
        return new FakeBilling().addPlan("p", "Gold", amount, currency).getPlans().get().get(0).price(java.util.Locale.US);
    }

    @Test
    public void theFakeSellsAndFails() throws Exception {
        FakeBilling fake = new FakeBilling().addPlan("p", "Gold", 500, "USD");
        assertEquals("USD", fake.getPlans().get().get(0).currency);
        assertFalse(fake.getSubscriptions().get().isActive());
        fake.startPurchase(null, PurchaseRequest.subscribe("p"), 1).get();
        assertTrue(fake.onPurchaseResult(Activity.RESULT_OK, null).get().isActive("p"));
        assertEquals("UNREACHABLE", codeOf(fake.failWith("UNREACHABLE").getSubscriptions()));
        assertTrue(fake.failWith(null).stale().getSubscriptions().get().isStale);
    }

    private static void until(CompletableFuture<?> future) throws InterruptedException {
        for (int i = 0; i < 2000 && !future.isDone(); i++) {
            shadowOf(Looper.getMainLooper()).idle();
            Thread.sleep(5);
        }
    }
}
