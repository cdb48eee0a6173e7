package com.service.store;

import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Binder;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Who calls over Binder. Every check reads the calling uid, which the kernel supplies and no app can forge. */
final class Callers {
    static final String BILLING = "com.service.store.BILLING";
    static final Pattern PACKAGE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+");
    private static final int MAX_PACKAGE_NAME = 255;

    private Callers() {}

    /**
     * Interface: packageName is verified against the calling system uid. Where packages share a uid, each of them may be named;
     * the permission then counts for the uid.
     */
    static void check(Context context, String packageName) throws Failure {
        int uid = Binder.getCallingUid();
        if (context.checkPermission(BILLING, Binder.getCallingPid(), uid) != PackageManager.PERMISSION_GRANTED) {
            throw new Failure(Failure.PERMISSION_MISSING, "This app may not use billing.",
                    "Declare <uses-permission android:name=\"" + BILLING + "\" /> in the manifest.");
        }
        if (packageName == null || packageName.length() > MAX_PACKAGE_NAME || !PACKAGE_NAME.matcher(packageName).matches()
                || !packagesOf(context, uid).contains(packageName)) {
            throw new Failure(Failure.PACKAGE_MISMATCH, "This app may not use billing in the name of another app.",
                    "packageName: is not a package of the calling uid. Send Context.getPackageName().");
        }
    }

    static java.util.List<String> packagesOf(Context context, int uid) {
        String[] packages = context.getPackageManager().getPackagesForUid(uid);
        return packages == null ? java.util.Collections.<String>emptyList() : Arrays.asList(packages);
    }
}
