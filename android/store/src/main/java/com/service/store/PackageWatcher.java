package com.service.store;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import java.util.List;

/**
 * Reports installs, updates and removals to the server, and asks the merchant for the permissions of a new app. Registered while
 * the store runs; in the manifest for the start of the terminal, when every app is compared.
 */
public final class PackageWatcher extends BroadcastReceiver {
    @Override
    public void onReceive(final Context context, Intent intent) {
        final Store store = Store.of(context);
        final String action = intent.getAction();
        final String packageName = intent.getData() == null ? null : intent.getData().getSchemeSpecificPart();
        final boolean isReplacing = intent.getBooleanExtra(Intent.EXTRA_REPLACING, false);
        if (store.identity() == null || action == null) return;
        // Null where the receiver is called outside of a broadcast.
        final PendingResult pending = goAsync();
        store.executor.execute(new Runnable() {
            @Override
            public void run() {
                try {
                    handle(store, context, action, packageName, isReplacing);
                } finally {
                    if (pending != null) pending.finish();
                }
            }
        });
    }

    private static void handle(Store store, Context context, String action, String packageName, boolean isReplacing) {
        if (Intent.ACTION_BOOT_COMPLETED.equals(action)) {
            for (String each : store.apps.billingPackages()) report(store, context, each);
        } else if (packageName == null || !Callers.PACKAGE_NAME.matcher(packageName).matches()) {
            return;
        } else if (Intent.ACTION_PACKAGE_REMOVED.equals(action)) {
            if (!isReplacing) store.apps.removed(packageName);
        } else if (store.apps.billingPackages().contains(packageName)) {
            report(store, context, packageName);
        }
    }

    /** A failed report is repeated with the app's first call (`InstalledApps.require`). */
    private static void report(Store store, Context context, String packageName) {
        try {
            List<String> toApprove = store.apps.report(store.apps.read(packageName));
            // From Android 10 on, only a privileged store may open a screen by itself; the home screen lists the app as well.
            if (!toApprove.isEmpty()) context.startActivity(ApprovalActivity.intent(context, packageName));
        } catch (Failure ignored) {
            // Reported again later.
        }
    }
}
