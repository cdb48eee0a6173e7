package com.tillhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Signs the assertions of an app: self-issued JWTs, RS256. */
final class Assertion {
  private static final long LIFE_SECONDS = 300;
  private static final Pattern PEM = Pattern.compile("-----BEGIN PRIVATE KEY-----(.+?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final Base64.Encoder BASE64_URL = Base64.getUrlEncoder().withoutPadding();

  private final String appId;
  private final String keyId;
  private final PrivateKey key;
  private final String audience;

  /** Throws IllegalArgumentException if {@code privateKey} is not an RSA key in PKCS#8 PEM. */
  Assertion(String appId, String keyId, String privateKey, String audience) {
    this.appId = appId;
    this.keyId = keyId;
    this.audience = audience;
    key = read(privateKey);
  }

  String sign(Instant now) {
    Map<String, Object> header = new LinkedHashMap<>(Map.of("alg", "RS256", "typ", "JWT"));
    if (keyId != null) header.put("kid", keyId);
    long issuedAt = now.getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", appId);
    claims.put("sub", appId);
    claims.put("aud", audience);
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("iat", issuedAt);
    claims.put("exp", issuedAt + LIFE_SECONDS);
    String signed = base64Url(Json.write(header)) + "." + base64Url(Json.write(claims));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + BASE64_URL.encodeToString(signature.sign());
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static PrivateKey read(String pem) {
    Matcher match = PEM.matcher(pem);
    if (!match.find()) {
      throw new IllegalArgumentException(
          "privateKey must be PKCS#8 PEM (BEGIN PRIVATE KEY). Convert another key by: openssl pkcs8 -topk8 -nocrypt -in key.pem");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(match.group(1));
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException error) {
      throw new IllegalArgumentException("privateKey must be an RSA key", error);
    }
  }

  private static String base64Url(String text) {
    return BASE64_URL.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
