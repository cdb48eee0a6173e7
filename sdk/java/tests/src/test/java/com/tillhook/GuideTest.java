package com.tillhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** docs/guides/code/Verify.java, which ci.sh copies beside these tests. */
class GuideTest {
  private static final String BODY = "{\"id\":\"a\", \"eventType\":\"TEST\"}";

  @Test void theVerificationOfTheGuideAcceptsAGenuineWebhookAndRejectsTheRest() throws Exception {
    long now = Instant.now().getEpochSecond();
    verify(BODY, now, "s");
    rejects("the signature does not match", BODY, now, "other");
    rejects("the signature does not match", BODY.replace(" ", ""), now, "s");
    rejects("too old", BODY, now - 400, "s");
  }

  private static void rejects(String part, String body, long timestamp, String secret) {
    Throwable error = assertThrows(InvocationTargetException.class, () -> verify(body, timestamp, secret)).getCause();
    assertEquals(SecurityException.class, error.getClass());
    assertEquals(true, error.getMessage().contains(part), error.getMessage());
  }

  private static void verify(String body, long timestamp, String secret) throws Exception {
    Method verify = Class.forName("Verify").getDeclaredMethod("verify", byte[].class, String.class, String.class, String.class, String.class);
    verify.setAccessible(true);
    String signatures = "v1,AAAA " + ConformanceTest.sign("s", "a." + timestamp + "." + BODY);
    verify.invoke(null, body.getBytes(StandardCharsets.UTF_8), "a", String.valueOf(timestamp), signatures, secret);
  }
}
