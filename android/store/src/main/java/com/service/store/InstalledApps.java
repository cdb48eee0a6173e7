package com.service.store;

import android.content.Context;
import android.content.SharedPreferences;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The apps on this terminal that declare the BILLING permission, as the server knows them. A call of an app that the
 * server has not accepted as it is installed now reports the app first, so that no missed broadcast matters.
 */
final class InstalledApps {
    private final Store store;
    private final Context context;
    private final SharedPreferences kept;

    InstalledApps(Store store, Context context, SharedPreferences kept) {
        this.store = store;
        this.context = context;
        this.kept = kept;
    }

    /** An installed package as the package manager describes it. */
    static final class Installed {
        final String packageName;
        final String version;
        final long versionCode;
        final String signerSha256;
        final List<String> permissions;

        Installed(String packageName, String version, long versionCode, String signerSha256, List<String> permissions) {
            this.packageName = packageName;
            this.version = version;
            this.versionCode = versionCode;
            this.signerSha256 = signerSha256;
            this.permissions = permissions;
        }

        String fingerprint() {
            return version + "|" + versionCode + "|" + signerSha256 + "|" + permissions;
        }
    }

    /** Returns once the server accepts the package as installed and the merchant has approved its permissions. */
    void require(String packageName) throws Failure {
        Installed installed = read(packageName);
        String known = kept.getString(packageName, null);
        if (!installed.fingerprint().equals(known)) report(installed);
        List<String> pending = pending(packageName);
        // The merchant may have approved on another terminal since.
        if (!pending.isEmpty()) pending = report(installed);
        if (!pending.isEmpty()) {
            throw new Failure(Failure.PERMISSIONS_NOT_APPROVED, "Approve the permissions of this app first, in the store app.",
                    "The merchant has not approved: " + pending + ". Ask the merchant to open the store app and allow them.");
        }
    }

    /** Whether cached answers may be given to the package: the same signer that the server accepted, nothing left to approve. */
    boolean isAcceptedOffline(String packageName) {
        try {
            String known = kept.getString(packageName, "");
            return known.contains("|" + read(packageName).signerSha256 + "|") && pending(packageName).isEmpty();
        } catch (Failure e) {
            return false;
        }
    }

    /** PUT /terminal/apps/{packageName}. Returns the permissions that the merchant still has to approve. */
    List<String> report(Installed installed) throws Failure {
        JSONObject body = body(installed);
        Backend.Answer answer = store.backend.send(new Backend.Call("PUT", path(installed.packageName)).body(body));
        return accept(installed, answer);
    }

    /** The signed-in manager approves every permission that the package declares. */
    void approve(String packageName) throws Failure {
        Installed installed = read(packageName);
        report(installed);
        JSONObject body = new JSONObject(Collections.singletonMap("permissions", new JSONArray(installed.permissions)));
        Backend.Answer answer = store.backend.send(new Backend.Call("POST", path(packageName) + "/approval")
                .body(body).userSession(store.session.token()));
        accept(installed, answer);
    }

    private List<String> accept(Installed installed, Backend.Answer answer) throws Failure {
        JSONArray toApprove = answer.body == null ? null : answer.body.optJSONArray("permissionsToApprove");
        if (toApprove == null) throw Failure.invalidResponse(answer.requestId);
        kept.edit().putString(installed.packageName, installed.fingerprint())
                .putString(pendingKey(installed.packageName), toApprove.toString()).apply();
        return listOf(toApprove);
    }

    /** The server lost or never had the record: the next call reports the package again. */
    void forget(String packageName) {
        kept.edit().remove(packageName).remove(pendingKey(packageName)).apply();
    }

    void forgetAll() {
        kept.edit().clear().apply();
    }

    /** Tells the server that a package is gone. Outages are left to the server: it only answers installed packages' calls. */
    void removed(String packageName) {
        if (!kept.contains(packageName)) return;
        forget(packageName);
        store.cache.forget(packageName);
        try {
            store.backend.send(new Backend.Call("DELETE", path(packageName)));
        } catch (Failure ignored) {
            // Nothing on this terminal can call in the package's name any more.
        }
    }

    /** Permissions of the package that wait for the merchant. */
    List<String> pending(String packageName) {
        try {
            return listOf(new JSONArray(kept.getString(pendingKey(packageName), "[]")));
        } catch (JSONException e) {
            return Collections.emptyList();
        }
    }

    /** Every package that declares BILLING. */
    List<String> billingPackages() {
        List<String> found = new ArrayList<>();
        for (PackageInfo each : context.getPackageManager().getInstalledPackages(PackageManager.GET_PERMISSIONS)) {
            boolean isBilling = each.requestedPermissions != null
                    && Arrays.asList(each.requestedPermissions).contains(Callers.BILLING);
            if (isBilling && !each.packageName.equals(context.getPackageName())) found.add(each.packageName);
        }
        return found;
    }

    @SuppressWarnings("deprecation") // GET_SIGNATURES and versionCode exist on every level from 24 on.
    Installed read(String packageName) throws Failure {
        try {
            PackageInfo info = context.getPackageManager().getPackageInfo(packageName,
                    PackageManager.GET_PERMISSIONS | PackageManager.GET_SIGNATURES);
            if (info.signatures == null || info.signatures.length != 1) {
                throw new Failure("RELEASE_NOT_APPROVED", "This app cannot use billing.",
                        "The package must have exactly one signer.");
            }
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(info.signatures[0].toByteArray());
            StringBuilder hex = new StringBuilder();
            for (byte each : hash) hex.append(String.format("%02x", each));
            List<String> permissions = new ArrayList<>();
            if (info.requestedPermissions != null) permissions.addAll(Arrays.asList(info.requestedPermissions));
            Collections.sort(permissions);
            String version = info.versionName == null ? String.valueOf(info.versionCode) : info.versionName;
            return new Installed(packageName, version, info.versionCode, hex.toString(), permissions);
        } catch (PackageManager.NameNotFoundException e) {
            throw new Failure(Failure.APPLICATION_NOT_INSTALLED, "This app is not installed.", "The package is not installed.");
        } catch (GeneralSecurityException e) {
            throw Failure.internal();
        }
    }

    private static JSONObject body(Installed installed) {
        try {
            return new JSONObject().put("version", installed.version).put("versionCode", installed.versionCode)
                    .put("signerSha256", installed.signerSha256).put("permissions", new JSONArray(installed.permissions));
        } catch (JSONException e) {
            throw new IllegalStateException(e);
        }
    }

    static String path(String packageName) {
        return "/terminal/apps/" + packageName;
    }

    private static String pendingKey(String packageName) {
        // No package name contains a colon.
        return "pending:" + packageName;
    }

    private static List<String> listOf(JSONArray array) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < array.length(); i++) list.add(array.optString(i));
        return list;
    }
}
