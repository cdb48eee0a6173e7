package com.service.store;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;

/** Listens to what Android reports to running processes only: installs, and the screen going off. */
public final class StoreApp extends Application {
    @Override
    public void onCreate() {
        super.onCreate();
        IntentFilter packages = new IntentFilter();
        packages.addAction(Intent.ACTION_PACKAGE_ADDED);
        packages.addAction(Intent.ACTION_PACKAGE_REPLACED);
        packages.addAction(Intent.ACTION_PACKAGE_REMOVED);
        packages.addDataScheme("package");
        registerReceiver(new PackageWatcher(), packages);
        registerReceiver(new BroadcastReceiver() {
            @Override
            public void onReceive(Context context, Intent intent) {
                Store.of(context).signOut();
            }
        }, new IntentFilter(Intent.ACTION_SCREEN_OFF));
    }
}
