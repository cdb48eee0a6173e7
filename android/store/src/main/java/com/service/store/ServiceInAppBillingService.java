package com.service.store;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** Interface, On-terminal bound service. */
public final class ServiceInAppBillingService extends Service {
    public static final String ACTION = "com.service.store.ServiceInAppBillingService.BIND";

    @Override
    public IBinder onBind(Intent intent) {
        return ACTION.equals(intent.getAction()) ? new BillingBinder(Store.of(this)) : null;
    }
}
