package com.tillhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.tillhook.model.Hook;
import com.tillhook.model.ListPlansQuery;
import com.tillhook.model.Plan;
import com.tillhook.model.ReleaseRequest;
import com.tillhook.model.Subscription;
import com.tillhook.model.SubscriptionOrPurchase;
import com.tillhook.model.TestClockAdvance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Cases that the conformance suite of all languages cannot express. */
class ClientTest {
  private static final String APP = "urn:aid:019a3c7e-5c00-7000-8000-000000000002";
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test void threadsShareOneRequestForAToken() throws Exception {
    AtomicInteger tokens = new AtomicInteger();
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      boolean isToken = exchange.getRequestURI().getPath().equals("/token");
      String text = isToken ? "{\"accessToken\":\"t" + tokens.incrementAndGet() + "\",\"expiresIn\":86400}" : "{\"list\":[]}";
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      Tillhook client = Tillhook.builder("http://127.0.0.1:" + server.getAddress().getPort() + "/").app(APP, null, newKey()).build();
      List<Callable<List<Plan>>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) calls.add(() -> client.listPlans().items());
      for (Future<List<Plan>> one : callers.invokeAll(calls)) assertEquals(List.of(), one.get());
      assertEquals(1, tokens.get());
    } finally {
      callers.shutdown();
      server.stop(0);
      threads.shutdown();
    }
  }

  @Test void aServerThatNeverAnswersIsNoResponseAndAnInterruptEndsACallAtOnce() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, LOOPBACK)) {
      Tillhook.Builder builder = Tillhook.builder("http://127.0.0.1:" + silent.getLocalPort()).token("t");
      Tillhook hasty = builder.timeout(Duration.ofMillis(100)).retries(1).build();
      TillhookConnectionException error = assertThrows(TillhookConnectionException.class, () -> hasty.getOrganization("o"));
      assertTrue(error.getMessage().contains("to GET /organizations/o"), error.getMessage());

      Tillhook patient = builder.timeout(Duration.ofMinutes(10)).build();
      CountDownLatch begun = new CountDownLatch(1);
      boolean[] isInterrupted = {false};
      Thread caller = new Thread(() -> {
        begun.countDown();
        assertThrows(TillhookConnectionException.class, () -> patient.getOrganization("o"));
        isInterrupted[0] = Thread.currentThread().isInterrupted();
      });
      caller.start();
      begun.await();
      caller.interrupt();
      caller.join();
      assertTrue(isInterrupted[0]);
    }
  }

  @Test void badArgumentsAreNamed() {
    Tillhook client = Tillhook.builder("http://127.0.0.1:1").token("t").build();
    assertMessage("listPlans: appId is missing", client::listPlans);
    assertMessage("getSubscription: subscriptionId is missing", () -> client.forApp(APP).getSubscription(""));
    assertMessage("either app or token", () -> Tillhook.builder("http://x").build());
    String rsa = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----";
    assertMessage("PKCS#8 PEM", () -> Tillhook.builder("http://x").app(APP, "k", rsa).build());
    assertMessage("the secret is empty", () -> new WebhookVerifier("new", ""));
    assertMessage("the secret is empty", WebhookVerifier::new);
  }

  @Test void aModelReadsTypedFieldsAndWritesTheWire() {
    Map<String, Object> fields = Map.of(
        "planId", "p", "amount", 500, "interval", "MONTH", "scope", "GALAXY", "createdAt", "2026-01-31T09:30:15Z",
        "amounts", List.of(Map.of("country", "US", "currency", "USD", "value", 500)));
    Plan plan = new Plan(fields);
    assertEquals(500, plan.amounts().get(0).value());
    assertEquals(Plan.Interval.MONTH, plan.interval());
    assertEquals(Plan.Scope.UNRECOGNIZED, plan.scope());
    assertEquals(Instant.parse("2026-01-31T09:30:15Z"), plan.createdAt());
    assertEquals("Plan has no field name", assertThrows(NoSuchElementException.class, plan::name).getMessage());
    assertEquals(new Plan(fields), plan);
    assertThrows(UnsupportedOperationException.class, () -> plan.toMap().clear());
    assertEquals(Optional.of(Hook.DisabledReason.FAILING), new Hook(Map.of("disabledReason", "failing")).disabledReason());
    assertEquals(Optional.empty(), new Subscription(Map.of()).endedAt());

    ReleaseRequest.Plan.Amount amount = new ReleaseRequest.Plan.Amount().country("US").currency("USD").value(500);
    ReleaseRequest.Plan basic = new ReleaseRequest.Plan().name("Basic").interval(ReleaseRequest.Plan.Interval.MONTH).amounts(List.of(amount));
    assertEquals(
        "{\"version\":\"1.0\",\"plans\":[{\"name\":\"Basic\",\"interval\":\"MONTH\","
            + "\"amounts\":[{\"country\":\"US\",\"currency\":\"USD\",\"value\":500}]}]}",
        new ReleaseRequest().version("1.0").plans(List.of(basic)).toJson());
    assertEquals("{\"to\":\"2026-01-31T09:30:15.500Z\"}", new TestClockAdvance().to(Instant.parse("2026-01-31T09:30:15.5Z")).toJson());

    SubscriptionOrPurchase bought = new SubscriptionOrPurchase(Map.of("purchaseId", "x", "subscriptionId", "s"));
    assertEquals("x", bought.asPurchase().orElseThrow().purchaseId());
    assertTrue(bought.asSubscription().isEmpty());
    Query query = new ListPlansQuery().count(5).status(ListPlansQuery.Status.ACTIVE);
    assertEquals(Map.of("count", 5L, "status", "ACTIVE"), query.params);
  }

  private static void assertMessage(String part, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(part), message);
  }

  private static String newKey() throws Exception {
    byte[] der = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END PRIVATE KEY-----\n";
  }
}
