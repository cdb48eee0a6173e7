package com.service.store;

import android.util.Base64;
import java.nio.charset.Charset;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.math.BigInteger;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** RS256 signatures in compact form (RFC 7515): assertions of the terminal, signed lists of the server. */
final class Jws {
    static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final int URL_SAFE = Base64.URL_SAFE | Base64.NO_PADDING | Base64.NO_WRAP;

    private Jws() {}

    static String sign(JSONObject header, JSONObject claims, String keyAlias) throws GeneralSecurityException {
        String signed = encode(header.toString().getBytes(UTF_8)) + "." + encode(claims.toString().getBytes(UTF_8));
        return signed + "." + encode(DeviceKey.sign(keyAlias, signed.getBytes(UTF_8)));
    }

    /** The `kid` of a JWS, or null where the text is none. */
    static String kidOf(String jws) {
        try {
            return new JSONObject(new String(decode(jws.split("\\.")[0]), UTF_8)).optString("kid", null);
        } catch (JSONException | IllegalArgumentException e) {
            return null;
        }
    }

    /** The payload, if a key of the set signed it and its type is `typ`; else null. */
    static JSONObject verify(String jws, String typ, JSONObject jwks) {
        try {
            String[] parts = jws.split("\\.", -1);
            if (parts.length != 3) return null;
            JSONObject header = new JSONObject(new String(decode(parts[0]), UTF_8));
            if (!"RS256".equals(header.optString("alg")) || !typ.equals(header.optString("typ"))) return null;
            PublicKey key = keyOf(jwks, header.optString("kid"));
            if (key == null) return null;
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(key);
            signature.update((parts[0] + "." + parts[1]).getBytes(UTF_8));
            return signature.verify(decode(parts[2])) ? new JSONObject(new String(decode(parts[1]), UTF_8)) : null;
        } catch (JSONException | GeneralSecurityException | IllegalArgumentException e) {
            return null;
        }
    }

    static boolean hasKey(JSONObject jwks, String kid) {
        try {
            return kid != null && keyOf(jwks, kid) != null;
        } catch (JSONException | GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private static PublicKey keyOf(JSONObject jwks, String kid) throws JSONException, GeneralSecurityException {
        JSONArray keys = jwks.getJSONArray("keys");
        for (int i = 0; i < keys.length(); i++) {
            JSONObject key = keys.getJSONObject(i);
            if (!kid.equals(key.optString("kid")) || !"RSA".equals(key.optString("kty"))) continue;
            BigInteger modulus = new BigInteger(1, decode(key.getString("n")));
            BigInteger exponent = new BigInteger(1, decode(key.getString("e")));
            return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
        }
        return null;
    }

    static String encode(byte[] bytes) {
        return Base64.encodeToString(bytes, URL_SAFE);
    }

    static byte[] decode(String text) {
        return Base64.decode(text, URL_SAFE);
    }
}
