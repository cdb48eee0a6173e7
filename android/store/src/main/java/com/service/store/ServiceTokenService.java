package com.service.store;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** Interface, Authentication, On-terminal apps 2. */
public final class ServiceTokenService extends Service {
    public static final String ACTION = "com.service.store.ServiceTokenService.BIND";

    @Override
    public IBinder onBind(Intent intent) {
        return ACTION.equals(intent.getAction()) ? new TokenBinder(Store.of(this)) : null;
    }
}
