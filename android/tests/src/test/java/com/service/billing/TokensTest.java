package com.service.billing;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.fail;
import static org.robolectric.Shadows.shadowOf;

import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Looper;
import com.service.store.IServiceTokenService;
import com.service.store.IServiceTokenServiceListener;
import com.service.store.ServiceError;
import com.service.store.TokenResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

/** One token, and no connection left behind. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class TokensTest {
    private static final ComponentName NAME = new ComponentName("com.service.store", "com.service.store.ServiceTokenService");
    private static final String BIND = "com.service.store.ServiceTokenService.BIND";

    private final Application application = RuntimeEnvironment.getApplication();
    private final Service service = new Service();

    private static final class Service extends IServiceTokenService.Stub {
        String appId;
        IServiceTokenServiceListener listener;

        @Override
        public void grantToken(String appId, IServiceTokenServiceListener callback) {
            this.appId = appId;
            listener = callback;
        }
    }

    @Before
    public void bindable() {
        shadowOf(application).setComponentNameAndServiceForBindService(NAME, service);
    }

    private CompletableFuture<TokenResponse> ask() {
        CompletableFuture<TokenResponse> asked = Tokens.request(application, "urn:aid:one");
        shadowOf(Looper.getMainLooper()).idle();
        return asked;
    }

    private void expectFailure(String code, CompletableFuture<TokenResponse> asked) throws Exception {
        shadowOf(Looper.getMainLooper()).idle();
        try {
            asked.get(0, TimeUnit.SECONDS);
            fail("there was a token");
        } catch (ExecutionException e) {
            assertEquals(code, ((BillingException) e.getCause()).getCode());
        }
        assertEquals("unbound", 0, shadowOf(application).getBoundServiceConnections().size());
    }

    @Test
    public void aTokenIsAskedOfTheStoreAppAndTheConnectionEnds() throws Exception {
        CompletableFuture<TokenResponse> asked = ask();
        Intent bound = shadowOf(application).getNextStartedService();
        assertEquals("com.service.store", bound.getPackage());
        assertEquals(BIND, bound.getAction());
        assertEquals("urn:aid:one", service.appId);
        assertFalse(asked.isDone());
        service.listener.onResponse(new TokenResponse("jwt", 3600, "ALL", "BEARER"), null);
        shadowOf(Looper.getMainLooper()).idle();
        assertEquals("jwt", asked.get(0, TimeUnit.SECONDS).getAccessToken());
        assertEquals(0, shadowOf(application).getBoundServiceConnections().size());
    }

    @Test
    public void anErrorOrAnEmptyResponseIsAFailure() throws Exception {
        CompletableFuture<TokenResponse> rejected = ask();
        service.listener.onResponse(null, new ServiceError("INVALID_USER_SESSION", "m", "d", "r"));
        expectFailure("INVALID_USER_SESSION", rejected);
        CompletableFuture<TokenResponse> empty = ask();
        service.listener.onResponse(null, null);
        expectFailure("INVALID_RESPONSE", empty);
    }

    @Test
    public void aStoreAppThatIsMissingStopsOrNeverAnswersIsAFailure() throws Exception {
        CompletableFuture<TokenResponse> stopped = ask();
        ServiceConnection connection = shadowOf(application).getBoundServiceConnections().get(0);
        connection.onServiceDisconnected(NAME);
        expectFailure("DISCONNECTED", stopped);
        CompletableFuture<TokenResponse> slow = ask();
        shadowOf(Looper.getMainLooper()).idleFor(1, TimeUnit.MINUTES);
        expectFailure("TIMEOUT", slow);
        service.listener.onResponse(new TokenResponse("late", 3600, "ALL", "BEARER"), null);
        expectFailure("TIMEOUT", slow);
        shadowOf(application).declareActionUnbindable(BIND);
        expectFailure("SERVICE_MISSING", ask());
    }
}
