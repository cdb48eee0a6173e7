package com.service.store;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Collections;
import java.util.UUID;

/** RSA keys in the Android Keystore: hardware-backed where the terminal has such hardware, never readable by any app. */
final class DeviceKey {
    private static final String KEYSTORE = "AndroidKeyStore";
    private static final String PREFIX = "terminal-";

    private DeviceKey() {}

    /** Makes a new key and returns its alias. The key in use stays until `keepOnly`. */
    static String create() throws GeneralSecurityException {
        String alias = PREFIX + UUID.randomUUID();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_RSA, KEYSTORE);
        generator.initialize(new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_SIGN)
                .setKeySize(2048)
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setSignaturePaddings(KeyProperties.SIGNATURE_PADDING_RSA_PKCS1)
                .build());
        generator.generateKeyPair();
        return alias;
    }

    /** Deletes every key of this app but one. */
    static void keepOnly(String alias) throws GeneralSecurityException {
        KeyStore store = open();
        for (String each : Collections.list(store.aliases())) {
            if (each.startsWith(PREFIX) && !each.equals(alias)) store.deleteEntry(each);
        }
    }

    static PublicKey publicKey(String alias) throws GeneralSecurityException {
        java.security.cert.Certificate certificate = open().getCertificate(alias);
        if (certificate == null) throw new GeneralSecurityException("no key " + alias);
        return certificate.getPublicKey();
    }

    /** SPKI PEM. */
    static String publicKeyPem(String alias) throws GeneralSecurityException {
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.encodeToString(publicKey(alias).getEncoded(), Base64.DEFAULT)
                + "-----END PUBLIC KEY-----\n";
    }

    /** RSASSA-PKCS1-v1_5 with SHA-256: RS256. */
    static byte[] sign(String alias, byte[] data) throws GeneralSecurityException {
        PrivateKey key = (PrivateKey) open().getKey(alias, null);
        if (key == null) throw new GeneralSecurityException("no key " + alias);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(data);
        return signature.sign();
    }

    private static KeyStore open() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance(KEYSTORE);
            store.load(null);
            return store;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
