package com.tillhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tillhook.model.AppChanges;
import com.tillhook.model.ListHooksQuery;
import com.tillhook.model.ListOrganizationsQuery;
import com.tillhook.model.ListPlansQuery;
import com.tillhook.model.ListSubscriptionsQuery;
import com.tillhook.model.SubscriptionRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The suite that all SDKs pass: contract/sdk-cases.json. */
class ConformanceTest {
  private static final String APP = "urn:aid:019a3c7e-5c00-7000-8000-000000000002";
  private static final Map<String, Object> CASES = Repository.json("contract/sdk-cases.json");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static Process server;
  private static String url;

  /** sdk/conformance.ts ends with its standard input. */
  @BeforeAll static void open() throws Exception {
    String node = Repository.ROOT.resolve("node_modules/.bin/node").toString();
    String program = Repository.ROOT.resolve("sdk/conformance.ts").toString();
    server = new ProcessBuilder(node, program).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    url = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8)).readLine();
  }

  @AfterAll static void close() throws Exception {
    server.getOutputStream().close();
    server.waitFor();
  }

  @TestFactory Stream<DynamicTest> calls() throws Exception {
    String privateKey = text(HttpRequest.newBuilder(URI.create(url + "/private-key")).build());
    List<DynamicTest> tests = new ArrayList<>();
    for (Object each : (List<?>) CASES.get("calls")) {
      Map<String, Object> one = Model.asMap(each);
      int index = tests.size();
      tests.add(DynamicTest.dynamicTest((String) one.get("name"), () -> {
        Tillhook.Builder builder = Tillhook.builder(url + "/cases/" + index);
        if (one.get("as").equals("app")) builder.app(APP, "k1", privateKey);
        else builder.token("t0");
        if (one.containsKey("retries")) builder.retries(((Number) one.get("retries")).intValue());
        String outcome = Json.write(outcome(builder.build(), Model.asMap(one.get("call"))));
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(outcome);
        assertEquals("[]", text(HttpRequest.newBuilder(URI.create(url + "/outcomes/" + index)).POST(body).build()));
      }));
    }
    return tests.stream();
  }

  private static Map<String, Object> outcome(Tillhook client, Map<String, Object> call) {
    String key = (String) call.get("idempotencyKey");
    boolean isWalk = call.containsKey("each");
    Map<String, Object> outcome = new LinkedHashMap<>();
    List<Object> items = new ArrayList<>();
    if (isWalk) outcome.put("items", items);
    try {
      Model result = run(key == null ? client : client.withIdempotencyKey(key), (String) call.get("operation"), call);
      if (isWalk) for (Object item : ((Page<?>) result).each()) items.add(((Model) item).toMap());
      else outcome.put("result", result == null ? null : result.toMap());
    } catch (TillhookConnectionException noResponse) {
      outcome.put("noResponse", true);
    } catch (TillhookException error) {
      Map<String, Object> found = new LinkedHashMap<>();
      found.put("status", error.status());
      found.put("code", error.code());
      found.put("requestId", error.requestId().orElse(null));
      found.put("fields", error.fields().stream().map(Model::toMap).toList());
      outcome.put("error", found);
    }
    return outcome;
  }

  private static Model run(Tillhook client, String operation, Map<String, Object> call) {
    Map<String, Object> params = Model.asMap(call.getOrDefault("params", Map.of()));
    Map<String, Object> body = Model.asMap(call.getOrDefault("body", Map.of()));
    switch (operation) {
      case "listPlans":
        return client.listPlans(with(new ListPlansQuery(), params));
      case "listOrganizations":
        return client.listOrganizations(new ListOrganizationsQuery().q((String) params.get("q")));
      case "listHooks":
        return client.listHooks(with(new ListHooksQuery(), params));
      case "listSubscriptions":
        return client.listSubscriptions(with(new ListSubscriptionsQuery(), params));
      case "listUpcomingCharges":
        return client.listUpcomingCharges();
      case "deleteHook":
        client.deleteHook((String) params.get("hookId"));
        return null;
      case "updateApp":
        return client.updateApp(new AppChanges(body));
      case "restoreSubscription":
        return client.restoreSubscription((String) params.get("subscriptionId"));
      case "subscribe":
        return client.subscribe(new SubscriptionRequest(body));
      default:
        throw new AssertionError("a new operation in the cases: " + operation);
    }
  }

  private static <Q extends Query> Q with(Q query, Map<String, Object> params) {
    params.forEach(query::set);
    return query;
  }

  @TestFactory Stream<DynamicTest> webhooks() {
    return StreamSupport.stream(((List<?>) CASES.get("webhooks")).spliterator(), false).map(each -> {
      Map<String, Object> one = Model.asMap(each);
      return DynamicTest.dynamicTest((String) one.get("name"), () -> {
        Map<String, Object> expect = Model.asMap(one.get("expect"));
        WebhookVerifier verifier =
            new WebhookVerifier(secrets(one)).tolerance(Duration.ofSeconds(((Number) one.get("toleranceSeconds")).longValue()));
        WebhookVerifier chosen = "original".equals(one.get("scheme")) ? verifier.original() : verifier;
        Map<String, String> headers = headers(one);
        if (expect.containsKey("eventType")) {
          assertEquals(expect.get("eventType"), chosen.verify((String) one.get("body"), headers::get).toMap().get("eventType"));
          return;
        }
        WebhookException error = assertThrows(WebhookException.class, () -> chosen.verify((String) one.get("body"), headers::get));
        assertEquals(expect.get("code"), error.code().name());
        assertTrue(error.getMessage().contains((String) expect.getOrDefault("message", "")), error.getMessage());
      });
    });
  }

  private static String[] secrets(Map<String, Object> one) {
    return ((List<?>) one.get("secrets")).toArray(new String[0]);
  }

  /** The names are in any case, as in a servlet. */
  private static Map<String, String> headers(Map<String, Object> one) throws Exception {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Model.asMap(one.get("headers")).forEach((name, value) -> headers.put(name, (String) value));
    if (!one.containsKey("signedSecondsFromNow")) return headers;
    String timestamp = String.valueOf(Instant.now().getEpochSecond() + ((Number) one.get("signedSecondsFromNow")).longValue());
    headers.put("webhook-timestamp", timestamp);
    headers.put("webhook-signature", sign(secrets(one)[0], headers.get("webhook-id") + "." + timestamp + "." + one.get("body")));
    return headers;
  }

  static String sign(String secret, String signed) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(HttpRequest request) throws Exception {
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
