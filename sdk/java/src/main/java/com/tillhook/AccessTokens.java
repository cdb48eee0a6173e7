package com.tillhook;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** The access token of a client. Concurrent callers share one request for a token. */
final class AccessTokens {
  private static final String GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  /** A token is renewed this long before its end. */
  private static final Duration EARLY = Duration.ofMinutes(1);
  /** A smaller difference between two clocks is within the server's tolerance. */
  private static final Duration LEAST_SKEW = Duration.ofSeconds(30);

  private final Transport transport;
  private final Assertion assertion;
  private final Clock clock;
  private Duration skew = Duration.ZERO;
  private String value;
  private Instant until = Instant.MAX;

  private AccessTokens(Transport transport, Assertion assertion, Clock clock, String value) {
    this.transport = transport;
    this.assertion = assertion;
    this.clock = clock;
    this.value = value;
  }

  static AccessTokens fixed(String token) {
    return new AccessTokens(null, null, Clock.systemUTC(), token);
  }

  static AccessTokens of(Transport transport, Assertion assertion, Clock clock) {
    return new AccessTokens(transport, assertion, clock, null);
  }

  boolean isRenewable() {
    return assertion != null;
  }

  /** A valid token. {@code rejected} is a token that the server no longer accepts, or null. */
  synchronized String get(String rejected) {
    boolean isValid = value != null && !value.equals(rejected) && clock.instant().isBefore(until);
    if (!isValid && isRenewable()) renew();
    return value;
  }

  private void renew() {
    HttpResponse<byte[]> response = exchange();
    // The server rejects assertions of a clock that is minutes wrong. The server's own clock decides.
    Duration difference = response.statusCode() == 401 ? differenceTo(response) : skew;
    if (difference.minus(skew).abs().compareTo(LEAST_SKEW) > 0) {
      skew = difference;
      response = exchange();
    }
    Map<String, Object> body = Transport.read(response);
    value = (String) body.get("accessToken");
    until = clock.instant().plusSeconds(((Number) body.get("expiresIn")).longValue()).minus(EARLY);
  }

  private HttpResponse<byte[]> exchange() {
    String form = "grantType=" + encode(GRANT_TYPE) + "&assertion=" + encode(assertion.sign(clock.instant().plus(skew)));
    Map<String, String> headers = Map.of("content-type", "application/x-www-form-urlencoded");
    return transport.send(new Transport.Call("POST", "/token", headers, form, true));
  }

  private Duration differenceTo(HttpResponse<?> response) {
    String date = response.headers().firstValue("date").orElse("");
    try {
      return Duration.between(clock.instant(), ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME));
    } catch (DateTimeException unreadable) {
      return skew;
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
