package com.tillhook;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends a call, and repeats the call where a repetition is safe. */
final class Transport {
  private static final List<Integer> RETRIED = List.of(429, 502, 503, 504);
  private static final long LONGEST_WAIT_MS = 60_000;

  private final HttpClient http;
  private final String baseUrl;
  private final int retries;
  private final Duration timeout;

  Transport(HttpClient http, String baseUrl, int retries, Duration timeout) {
    this.http = http;
    this.baseUrl = baseUrl;
    this.retries = retries;
    this.timeout = timeout;
  }

  static final class Call {
    final String method;
    final String path;
    final Map<String, String> headers;
    final String body;
    final boolean isRepeatable;

    Call(String method, String path, Map<String, String> headers, String body, boolean isKeyed) {
      this.method = method;
      this.path = path;
      this.headers = headers;
      this.body = body;
      isRepeatable = isKeyed || method.equals("GET") || method.equals("DELETE");
    }

    Call with(String header, String value) {
      Map<String, String> all = new LinkedHashMap<>(headers);
      all.put(header, value);
      return new Call(method, path, all, body, isRepeatable);
    }
  }

  /** The last response. Throws {@link TillhookConnectionException} if there is none. */
  HttpResponse<byte[]> send(Call call) {
    for (int attempt = 0; ; attempt++) {
      boolean isLast = attempt >= retries;
      try {
        HttpResponse<byte[]> response = once(call);
        int status = response.statusCode();
        if (isLast || !(status == 429 || (call.isRepeatable && RETRIED.contains(status)))) return response;
        Thread.sleep(retryAfterMs(response).orElse(backoffMs(attempt)));
      } catch (IOException error) {
        if (isLast || !call.isRepeatable) throw noResponse(call, error);
        pause(call, backoffMs(attempt));
      } catch (InterruptedException error) {
        throw interrupted(call, error);
      }
    }
  }

  /** The fields of a successful response. Throws {@link TillhookException} for every other response. */
  static Map<String, Object> read(HttpResponse<byte[]> response) {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    boolean isSuccess = response.statusCode() / 100 == 2;
    if (isSuccess && text.isEmpty()) return Map.of();
    Map<String, Object> body = fieldsOf(text);
    if (isSuccess && body != null) return body;
    if (body == null) body = Map.of();
    Object requestId = body.getOrDefault("requestId", response.headers().firstValue("service-request-id").orElse(null));
    throw new TillhookException(response.statusCode(), body, requestId == null ? null : requestId.toString());
  }

  private static Map<String, Object> fieldsOf(String text) {
    try {
      Object value = Json.read(text);
      return value instanceof Map ? Model.asMap(value) : null;
    } catch (IllegalArgumentException notJson) {
      return null;
    }
  }

  /** One attempt. HttpRequest.timeout ends with the headers of the response; this limit includes the body. */
  private HttpResponse<byte[]> once(Call call) throws IOException, InterruptedException {
    HttpRequest.BodyPublisher body =
        call.body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(call.body);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + call.path)).method(call.method, body);
    request.header("api-version", "1.2");
    call.headers.forEach(request::header);
    CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    try {
      return sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException error) {
      throw new IOException("no response within " + timeout.toMillis() + " ms", error);
    } catch (ExecutionException error) {
      if (error.getCause() instanceof IOException) throw (IOException) error.getCause();
      throw new IllegalStateException(error.getCause());
    } finally {
      sent.cancel(true);
    }
  }

  private void pause(Call call, long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException error) {
      throw interrupted(call, error);
    }
  }

  private TillhookConnectionException interrupted(Call call, InterruptedException error) {
    Thread.currentThread().interrupt();
    return noResponse(call, error);
  }

  private TillhookConnectionException noResponse(Call call, Exception cause) {
    return new TillhookConnectionException("no response from " + baseUrl + " to " + call.method + " " + call.path, cause);
  }

  private static OptionalLong retryAfterMs(HttpResponse<?> response) {
    String seconds = response.headers().firstValue("retry-after").orElse("");
    if (!seconds.matches("\\d{1,9}")) return OptionalLong.empty();
    return OptionalLong.of(Math.min(Long.parseLong(seconds) * 1000, LONGEST_WAIT_MS));
  }

  private static long backoffMs(int attempt) {
    return (long) (500 * Math.pow(2, attempt) * (0.5 + ThreadLocalRandom.current().nextDouble() / 2));
  }
}
