package com.service.store;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Application;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.os.IBinder;
import android.os.Looper;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.json.JSONObject;
import org.junit.rules.ExternalResource;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;

/** An activated terminal with one app that may use billing, and the service that it talks to. */
public final class Terminal extends ExternalResource {
    static final String APP = "com.example.till";
    static final int UID = 10_101;

    FakeServer server;
    Store store;
    Application application;

    @Override
    protected void before() throws Throwable {
        FakeKeystore.install();
        server = new FakeServer();
        application = RuntimeEnvironment.getApplication();
        install(APP, UID, "signer", Callers.BILLING);
        restart();
        store.activate(server.activationCode);
    }

    @Override
    protected void after() {
        server.close();
        Store.replace(null);
    }

    /** A new process of the store app: what is in memory is gone. */
    void restart() {
        store = new Store(application, server.url());
        Store.replace(store);
    }

    /** A terminal that was never activated, of the service at this address. */
    void connect(String url) {
        application.getSharedPreferences("terminal", 0).edit().clear().commit();
        application.getSharedPreferences("apps", 0).edit().clear().commit();
        FakeKeystore.KEYS.clear();
        store = new Store(application, url);
        Store.replace(store);
    }

    void install(String packageName, int uid, String signer, String... permissions) {
        install(packageName, uid, signer == null ? null : new Signature(signer.getBytes()), permissions);
    }

    void install(String packageName, int uid, Signature signer, String... permissions) {
        PackageInfo info = new PackageInfo();
        info.packageName = packageName;
        info.versionName = "1.0";
        info.requestedPermissions = permissions;
        info.signatures = signer == null ? new Signature[0] : new Signature[] {signer};
        info.applicationInfo = new ApplicationInfo();
        info.applicationInfo.packageName = packageName;
        info.applicationInfo.uid = uid;
        info.applicationInfo.nonLocalizedLabel = "Till app";
        shadowOf(packages()).installPackage(info);
        shadowOf(packages()).setPackagesForUid(uid, packageName);
        if (permissions.length > 0) shadowOf(application).grantPermissions(uid, uid, permissions);
    }

    PackageManager packages() {
        return application.getPackageManager();
    }

    /** The service as an app with this uid has bound it. */
    IServiceInAppBillingService bind(int uid) {
        ServiceInAppBillingService service = Robolectric.buildService(ServiceInAppBillingService.class).create().get();
        IBinder binder = service.onBind(new Intent(ServiceInAppBillingService.ACTION));
        return IServiceInAppBillingService.Stub.asInterface(new RemoteBinder(binder, uid));
    }

    static void signIn(Store store) {
        store.session.start("session-1", "Kim", "MANAGER");
    }

    /** One response, as a listener in another process received it. */
    static final class Heard {
        final String result;
        final ServiceError error;
        final String requestId;

        Heard(String result, ServiceError error, String requestId) {
            this.result = result;
            this.error = error;
            this.requestId = requestId;
        }

        JSONObject json() throws Exception {
            return new JSONObject(result);
        }
    }

    static final class Listener implements IServiceInAppBillingServiceListener {
        final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        final RemoteBinder binder = new RemoteBinder(new Stub() {
            @Override
            public void onResponse(String resultJson, ServiceError error, String requestId) {
                heard.add(new Heard(resultJson, error, requestId));
            }
        }, UID);

        @Override
        public void onResponse(String resultJson, ServiceError error, String requestId) {
            throw new AssertionError("not marshalled");
        }

        @Override
        public IBinder asBinder() {
            return binder;
        }

        Heard take() throws InterruptedException {
            Heard first = heard.poll(60, TimeUnit.SECONDS);
            assertNotNull("the listener heard nothing", first);
            return first;
        }
    }

    Heard getSubscriptions() throws Exception {
        Listener listener = new Listener();
        bind(UID).getSubscriptions(APP, "request-1", listener);
        return listener.take();
    }

    Heard getPlans() throws Exception {
        Listener listener = new Listener();
        bind(UID).getPlans(APP, "request-1", listener);
        return listener.take();
    }

    /** Runs the main thread until the condition holds. */
    static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            shadowOf(Looper.getMainLooper()).idle();
            if (condition.getAsBoolean()) return;
            Thread.sleep(5);
        } while (System.nanoTime() < end);
        assertTrue("it did not happen within 60 s", condition.getAsBoolean());
    }
}
