package com.service.store;

import android.security.keystore.KeyGenParameterSpec;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.KeyStoreSpi;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The JVM's keys under the name of Android's keystore, which Robolectric does not have. */
public final class FakeKeystore extends Provider {
    static final Map<String, KeyPair> KEYS = new ConcurrentHashMap<>();

    private FakeKeystore() {
        super("AndroidKeyStore", 1.0, "for tests");
        put("KeyStore.AndroidKeyStore", Store.class.getName());
        put("KeyPairGenerator.RSA", Generator.class.getName());
    }

    static void install() {
        Security.removeProvider("AndroidKeyStore");
        Security.addProvider(new FakeKeystore());
        KEYS.clear();
    }

    public static final class Generator extends KeyPairGeneratorSpi {
        private KeyGenParameterSpec spec;

        @Override
        public void initialize(AlgorithmParameterSpec given, SecureRandom random) {
            spec = (KeyGenParameterSpec) given;
        }

        @Override
        public void initialize(int keysize, SecureRandom random) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyPair generateKeyPair() {
            try {
                // By name: "RSA" alone would find this class again.
                KeyPairGenerator real = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
                real.initialize(spec.getKeySize());
                KEYS.put(spec.getKeystoreAlias(), real.generateKeyPair());
                return KEYS.get(spec.getKeystoreAlias());
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static final class Store extends KeyStoreSpi {
        @Override
        public Key engineGetKey(String alias, char[] password) {
            return KEYS.containsKey(alias) ? KEYS.get(alias).getPrivate() : null;
        }

        @Override
        public Certificate engineGetCertificate(final String alias) {
            if (!KEYS.containsKey(alias)) return null;
            return new Certificate("fake") {
                @Override
                public byte[] getEncoded() {
                    return new byte[0];
                }

                @Override
                public void verify(PublicKey key) {}

                @Override
                public void verify(PublicKey key, String provider) {}

                @Override
                public String toString() {
                    return alias;
                }

                @Override
                public PublicKey getPublicKey() {
                    return KEYS.get(alias).getPublic();
                }
            };
        }

        @Override
        public Enumeration<String> engineAliases() {
            return Collections.enumeration(new java.util.ArrayList<>(KEYS.keySet()));
        }

        @Override
        public void engineDeleteEntry(String alias) {
            KEYS.remove(alias);
        }

        @Override
        public boolean engineContainsAlias(String alias) {
            return KEYS.containsKey(alias);
        }

        @Override
        public void engineLoad(InputStream in, char[] password) {}

        @Override
        public Certificate[] engineGetCertificateChain(String alias) {
            return null;
        }

        @Override
        public Date engineGetCreationDate(String alias) {
            return null;
        }

        @Override
        public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) {}

        @Override
        public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) {}

        @Override
        public void engineSetCertificateEntry(String alias, Certificate cert) {}

        @Override
        public int engineSize() {
            return KEYS.size();
        }

        @Override
        public boolean engineIsKeyEntry(String alias) {
            return true;
        }

        @Override
        public boolean engineIsCertificateEntry(String alias) {
            return false;
        }

        @Override
        public String engineGetCertificateAlias(Certificate cert) {
            return null;
        }

        @Override
        public void engineStore(OutputStream stream, char[] password) {}
    }
}
