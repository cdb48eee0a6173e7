package com.service.store;

import android.content.SharedPreferences;

/** This terminal as the server knows it. Kept in the app's private storage; the private key stays in the Android Keystore. */
final class Identity {
    final String deviceId;
    final String businessId;
    final String storeId;
    final String name;
    final String kid;
    final String keyAlias;

    Identity(String deviceId, String businessId, String storeId, String name, String kid, String keyAlias) {
        this.deviceId = deviceId;
        this.businessId = businessId;
        this.storeId = storeId;
        this.name = name;
        this.kid = kid;
        this.keyAlias = keyAlias;
    }

    /** Null: not activated, or revoked since. */
    static Identity find(SharedPreferences kept) {
        String deviceId = kept.getString("deviceId", null);
        if (deviceId == null) return null;
        return new Identity(deviceId, kept.getString("businessId", ""), kept.getString("storeId", ""),
                kept.getString("name", ""), kept.getString("kid", ""), kept.getString("keyAlias", ""));
    }

    void save(SharedPreferences kept) {
        kept.edit().putString("deviceId", deviceId).putString("businessId", businessId).putString("storeId", storeId)
                .putString("name", name).putString("kid", kid).putString("keyAlias", keyAlias).commit();
    }

    static void forget(SharedPreferences kept) {
        kept.edit().remove("deviceId").remove("businessId").remove("storeId").remove("name").remove("kid")
                .remove("keyAlias").commit();
    }
}
