package com.tillhook;

import com.tillhook.WebhookException.Code;
import com.tillhook.model.Notification;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies webhooks. Threads may share a verifier.
 *
 * <pre>{@code
 * Notification event = new WebhookVerifier(secret).verify(body, request::getHeader);
 * }</pre>
 */
public final class WebhookVerifier {
  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final String BAD_SIGNATURE =
      "the signature does not match. Check the secret, and pass the body as received: a body that was parsed and serialised again has other bytes";

  private final List<String> secrets;
  private final Duration tolerance;
  private final boolean isOriginal;

  /** The endpoint's secret as registered. While you change the secret: the new and the old one. */
  public WebhookVerifier(String... secrets) {
    this(List.of(secrets), TOLERANCE, false);
  }

  private WebhookVerifier(List<String> secrets, Duration tolerance, boolean isOriginal) {
    if (secrets.isEmpty() || secrets.contains("")) throw new IllegalArgumentException("the secret is empty");
    this.secrets = secrets;
    this.tolerance = tolerance;
    this.isOriginal = isOriginal;
  }

  /** This verifier with another limit for the difference between the webhook's timestamp and this clock. By default five minutes. */
  public WebhookVerifier tolerance(Duration tolerance) {
    return new WebhookVerifier(secrets, tolerance, isOriginal);
  }

  /**
   * This verifier for {@code Service-Webhook-Signature}, an HMAC-SHA1 without a timestamp, for listeners that cannot change: a captured
   * webhook can be replayed.
   */
  public WebhookVerifier original() {
    return new WebhookVerifier(secrets, tolerance, true);
  }

  /** {@link #verify(byte[], UnaryOperator)} for a body that is text already. */
  public Notification verify(String body, UnaryOperator<String> header) throws WebhookException {
    return verify(body.getBytes(StandardCharsets.UTF_8), header);
  }

  /**
   * The event of a genuine webhook. {@code body} is the request body as received, before JSON parsing. {@code header} returns the value of
   * a request header or null, whatever the case of its name: {@code request::getHeader} of a servlet, {@code headers::getFirst} of Spring.
   */
  public Notification verify(byte[] body, UnaryOperator<String> header) throws WebhookException {
    if (!(isOriginal ? isOriginal(body, header) : isStandard(body, header))) throw new WebhookException(Code.BAD_SIGNATURE, BAD_SIGNATURE);
    try {
      return new Notification(Model.asMap(Json.read(new String(body, StandardCharsets.UTF_8))));
    } catch (IllegalArgumentException | ClassCastException | NullPointerException notAnObject) {
      throw new WebhookException(Code.BAD_BODY, "the body is not a JSON object");
    }
  }

  private boolean isOriginal(byte[] body, UnaryOperator<String> header) throws WebhookException {
    List<byte[]> expected = new ArrayList<>();
    for (String secret : secrets) expected.add(hmac("HmacSHA1", utf8(secret), body));
    return isAny(List.of(get(header, "service-webhook-signature")), expected);
  }

  private boolean isStandard(byte[] body, UnaryOperator<String> header) throws WebhookException {
    String id = get(header, "webhook-id");
    String timestamp = get(header, "webhook-timestamp");
    String signatures = get(header, "webhook-signature");
    checkAge(timestamp);
    List<String> given = new ArrayList<>();
    for (String entry : signatures.split(" ")) if (entry.startsWith("v1,")) given.add(entry.substring(3));
    List<byte[]> expected = new ArrayList<>();
    for (String secret : secrets) {
      for (byte[] key : keysOf(secret)) expected.add(hmac("HmacSHA256", key, utf8(id + "." + timestamp + "."), body));
    }
    return isAny(given, expected);
  }

  private void checkAge(String timestamp) throws WebhookException {
    boolean isNumber = timestamp.matches("[0-9]{1,15}");
    long age = isNumber ? Instant.now().getEpochSecond() - Long.parseLong(timestamp) : 0;
    if (isNumber && Math.abs(age) <= tolerance.getSeconds()) return;
    String told = isNumber ? age + " seconds before this clock" : "no number of seconds";
    throw new WebhookException(
        Code.TOO_OLD, "webhook-timestamp is " + told + "; " + tolerance.getSeconds() + " are allowed. Check this machine's clock");
  }

  /** Tillhook signs with the bytes of the secret, and with the decoded bytes of a {@code whsec_} secret. */
  private static List<byte[]> keysOf(String secret) {
    byte[] decoded = secret.startsWith("whsec_") ? fromBase64(secret.substring("whsec_".length())) : new byte[0];
    return decoded.length > 0 ? List.of(utf8(secret), decoded) : List.of(utf8(secret));
  }

  private static boolean isAny(List<String> given, List<byte[]> expected) {
    boolean isMatch = false;
    for (String text : given) {
      byte[] signature = fromBase64(text);
      for (byte[] one : expected) isMatch |= MessageDigest.isEqual(signature, one);
    }
    return isMatch;
  }

  private static byte[] hmac(String algorithm, byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static byte[] fromBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String get(UnaryOperator<String> header, String name) throws WebhookException {
    String value = header.apply(name);
    if (value == null || value.isEmpty()) throw new WebhookException(Code.HEADER_MISSING, "the request has no " + name + " header");
    return value;
  }
}
