package com.tillhook;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The API of one installation, with one method for each JSON operation of the contract.
 *
 * <pre>{@code
 * Tillhook tillhook = Tillhook.builder("https://api.example.com").app(appId, keyId, privateKey).build();
 * for (Subscription subscription : tillhook.listSubscriptions().each()) System.out.println(subscription.planId());
 * }</pre>
 *
 * <p>Threads may share a client. A method throws {@link TillhookException} for an error response and {@link TillhookConnectionException} if no
 * response arrives.
 */
public final class Tillhook extends Operations {
  private static final Pattern PATH_PARAMETER = Pattern.compile("\\{(\\w+)}");

  private final Transport transport;
  private final AccessTokens tokens;
  private final String appId;
  private final String idempotencyKey;

  private Tillhook(Transport transport, AccessTokens tokens, String appId, String idempotencyKey) {
    this.transport = transport;
    this.tokens = tokens;
    this.appId = appId;
    this.idempotencyKey = idempotencyKey;
  }

  /** {@code baseUrl} is the address of the API, for instance {@code https://api.example.com}. */
  public static Builder builder(String baseUrl) {
    return new Builder(baseUrl);
  }

  /** This client with another app in the paths. Tokens and connections are shared. */
  public Tillhook forApp(String appId) {
    return new Tillhook(transport, tokens, appId, idempotencyKey);
  }

  /** This client with your own idempotency key, for one call that you may repeat after your process restarted. */
  public Tillhook withIdempotencyKey(String key) {
    return new Tillhook(transport, tokens, appId, key);
  }

  @Override <T> T invoke(String name, String route, Query query, Model body, Function<Map<String, ?>, T> read, Object... params) {
    Map<String, Object> given = new LinkedHashMap<>();
    for (int i = 0; i < params.length; i += 2) given.put((String) params[i], params[i + 1]);
    if (query != null) given.putAll(query.params);
    return invoke(name, route, given, body, read);
  }

  private <T> T invoke(String name, String route, Map<String, Object> params, Model body, Function<Map<String, ?>, T> read) {
    String[] parts = route.split(" ");
    boolean isKeyed = parts.length > 2;
    // A POST without fields still has a JSON body.
    String json = body != null ? body.toJson() : parts[0].equals("POST") ? "{}" : null;
    Map<String, String> headers = new LinkedHashMap<>();
    if (json != null) headers.put("content-type", "application/json");
    // Equal on every attempt, also after a new token.
    if (isKeyed) headers.put("idempotency-key", idempotencyKey != null ? idempotencyKey : UUID.randomUUID().toString());
    Transport.Call call = new Transport.Call(parts[0], path(name, parts[1], params), headers, json, isKeyed);
    T result = read.apply(Transport.read(send(call)));
    if (result instanceof Page) addNext((Page<?>) result, next -> invoke(name, route, next, body, read), params);
    return result;
  }

  private HttpResponse<byte[]> send(Transport.Call call) {
    String token = tokens.get(null);
    HttpResponse<byte[]> response = transport.send(call.with("authorization", "Bearer " + token));
    if (response.statusCode() != 401 || !tokens.isRenewable()) return response;
    return transport.send(call.with("authorization", "Bearer " + tokens.get(token)));
  }

  private String path(String name, String template, Map<String, Object> params) {
    Map<String, Object> rest = new LinkedHashMap<>(params);
    String path = PATH_PARAMETER.matcher(template).replaceAll(match -> {
      String field = match.group(1);
      Object value = rest.remove(field);
      if (value == null && field.equals("appId")) value = appId;
      if (value == null || value.equals("")) throw new IllegalArgumentException(name + ": " + field + " is missing");
      return Matcher.quoteReplacement(encode(value));
    });
    rest.values().removeIf(Objects::isNull);
    if (rest.isEmpty()) return path;
    return path + "?" + rest.entrySet().stream().map(one -> one.getKey() + "=" + encode(one.getValue())).collect(Collectors.joining("&"));
  }

  @SuppressWarnings("unchecked") // The next page of a Page<Item> is a Page<Item>.
  private <Item> void addNext(Page<Item> page, Function<Map<String, Object>, ?> fetch, Map<String, Object> params) {
    page.next = () -> nextParams(page, params).map(next -> (Page<Item>) fetch.apply(next));
  }

  /** The parameters of the next page: by link, by cursor, or by offset. Empty after the last page. */
  private static Optional<Map<String, Object>> nextParams(Page<?> page, Map<String, Object> params) {
    Map<String, Object> fields = page.toMap();
    Map<String, Object> next = new LinkedHashMap<>(params);
    String cursor = (String) fields.get("next");
    String href = nextLink(fields);
    if (href == null && cursor != null && cursor.contains("?")) href = cursor;
    if (href != null) {
      String query = URI.create(href).getRawQuery();
      for (String pair : query.split("&")) {
        String[] parts = pair.split("=", 2);
        next.put(decode(parts[0]), decode(parts.length > 1 ? parts[1] : ""));
      }
      return Optional.of(next);
    }
    if (cursor != null) {
      next.remove("start");
      next.put("after", cursor);
      return Optional.of(next);
    }
    int count = page.items().size();
    long end = ((Number) fields.getOrDefault("start", 0)).longValue() + count;
    if (count == 0 || end >= ((Number) fields.getOrDefault("total", 0)).longValue()) return Optional.empty();
    next.put("start", end);
    return Optional.of(next);
  }

  private static String nextLink(Map<String, Object> fields) {
    for (Object link : (List<?>) fields.getOrDefault("links", List.of())) {
      Map<?, ?> one = (Map<?, ?>) link;
      if ("next".equals(one.get("rel"))) return (String) one.get("href");
    }
    return null;
  }

  /** Percent-encoding. URLEncoder writes a space as {@code +}, which a path does not know. */
  private static String encode(Object value) {
    return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** The settings of a client: either {@link #app} or {@link #token}, and optionally the rest. */
  public static final class Builder {
    private final String baseUrl;
    private String appId;
    private String keyId;
    private String privateKey;
    private String token;
    private String audience;
    private int retries = 3;
    private Duration timeout = Duration.ofSeconds(30);
    private HttpClient http;
    private Clock clock = Clock.systemUTC();

    private Builder(String baseUrl) {
      this.baseUrl = baseUrl.replaceAll("/+$", "");
    }

    /**
     * The client obtains, keeps and renews access tokens of this app. {@code privateKey} is PKCS#8 PEM, {@code keyId} the id of the key or null.
     */
    public Builder app(String appId, String keyId, String privateKey) {
      this.appId = Objects.requireNonNull(appId, "appId");
      this.keyId = keyId;
      this.privateKey = Objects.requireNonNull(privateKey, "privateKey");
      return this;
    }

    /** A fixed bearer token. */
    public Builder token(String token) {
      this.token = Objects.requireNonNull(token, "token");
      return this;
    }

    /** The {@code aud} of the app's assertions. By default the base URL. */
    public Builder audience(String audience) {
      this.audience = audience;
      return this;
    }

    /** Attempts after the first one. By default 3. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** The time limit of one attempt. By default 30 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** Your own HTTP client, for instance with a proxy. */
    public Builder httpClient(HttpClient http) {
      this.http = http;
      return this;
    }

    Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    public Tillhook build() {
      if ((privateKey == null) == (token == null)) throw new IllegalArgumentException("give either app or token");
      HttpClient client = http != null ? http : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout).build();
      Transport transport = new Transport(client, baseUrl, retries, timeout);
      if (token != null) return new Tillhook(transport, AccessTokens.fixed(token), null, null);
      Assertion assertion = new Assertion(appId, keyId, privateKey, audience != null ? audience : baseUrl);
      return new Tillhook(transport, AccessTokens.of(transport, assertion, clock), appId, null);
    }
  }
}
