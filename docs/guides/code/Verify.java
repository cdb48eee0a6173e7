import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
  static final long TOLERANCE_SECONDS = 300;

  /** Verifies a webhook. `body` is the raw request body, before JSON parsing. Throws SecurityException if the webhook is not genuine. */
  static void verify(byte[] body, String id, String timestamp, String signatures, String secret) throws GeneralSecurityException {
    long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
    if (age > TOLERANCE_SECONDS) throw new SecurityException("the webhook is too old, or this clock is wrong");

    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) return;
    }
    throw new SecurityException("the signature does not match: check the secret, and verify the raw body");
  }
}
