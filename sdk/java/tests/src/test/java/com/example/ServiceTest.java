package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import com.tillhook.Tillhook;
import com.tillhook.TillhookException;
import com.tillhook.WebhookHandler;
import com.tillhook.model.*;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The program of a developer: the installed SDK against a real service. */
@EnabledIfEnvironmentVariable(named = "SDK_TEST_REPOSITORY", matches = ".+", disabledReason = "ci.sh names the repository whose service is started")
class ServiceTest {
  private static final String SECRET = "whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0";
  private static final String KEY = UUID.randomUUID().toString();
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);
  private static final Duration HEARD_WITHIN = Duration.ofMinutes(1);
  private static final Pattern READY = Pattern.compile("^Tillhook is ready at (\\S+)$", Pattern.MULTILINE);

  private static Path folder;
  private static Process service;
  private static String url;

  @BeforeAll static void start() throws Exception {
    folder = Files.createTempDirectory("tillhook-java-");
    Path log = folder.resolve("log");
    ProcessBuilder builder = new ProcessBuilder("npm", "start").directory(Path.of(System.getenv("SDK_TEST_REPOSITORY")).toFile());
    builder.environment().put("TILLHOOK_PORT", "0");
    builder.environment().put("TILLHOOK_OPERATOR_KEY", KEY);
    builder.environment().put("TILLHOOK_DATA_DIR", folder.resolve("data").toString());
    service = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Instant until = Instant.now().plus(READY_WITHIN);
    while (url == null) {
      String text = Files.readString(log);
      assertTrue(service.isAlive() && Instant.now().isBefore(until), text);
      Matcher ready = READY.matcher(text);
      if (ready.find()) url = ready.group(1);
      else Thread.sleep(200);
    }
  }

  @AfterAll static void stop() throws Exception {
    List<ProcessHandle> all = Stream.concat(service.descendants(), Stream.of(service.toHandle())).collect(Collectors.toList());
    all.forEach(ProcessHandle::destroy);
    for (ProcessHandle one : all) one.onExit().get(1, TimeUnit.MINUTES);
    // As root, PostgreSQL keeps its data where an unprivileged user can reach it.
    Path place = folder.resolve("data/postgres.place");
    if (Files.exists(place)) remove(Path.of(Files.readString(place).strip()));
    remove(folder);
  }

  @Test void subscribeListAndHearAVerifiedWebhook() throws Exception {
    Tillhook operator = Tillhook.builder(url).token(KEY).build();
    App app = newApp(operator, "planner");
    AppKey key = operator.forApp(app.appId()).addAppKey();
    String privateKey = key.privateKey().orElseThrow();
    Tillhook planner = Tillhook.builder(url).app(app.appId(), key.kid(), privateKey).build();
    Tillhook operatorOfApp = operator.forApp(app.appId());
    Release release = operatorOfApp.submitRelease(new ReleaseRequest().version("1.0").plans(List.of(plan("Basic"), plan("Pro"), plan("Max"))));
    operatorOfApp.approveRelease(release.releaseId());

    List<Plan> plans = planner.listPlans(new ListPlansQuery().count(1)).stream().collect(Collectors.toList());
    assertEquals(List.of("Basic", "Max", "Pro"), plans.stream().map(Plan::name).sorted().collect(Collectors.toList()));

    List<Notification> events = new CopyOnWriteArrayList<>();
    BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
    WebhookHandler handler = new Planner(events).handler(SECRET);
    HttpServer listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    listener.createContext("/webhooks", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      WebhookHandler.Answer answer = handler.answer(body, exchange.getRequestHeaders()::getFirst);
      // The library of Standard Webhooks verifies the secret as registered.
      bodies.add(verified(new String(body, StandardCharsets.UTF_8), HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true)));
      exchange.sendResponseHeaders(answer.status(), -1);
      exchange.close();
    });
    listener.start();
    try {
      List<HookRequest.EventType> types = List.of(HookRequest.EventType.APPLICATION_SUBSCRIPTION_START);
      String address = "http://127.0.0.1:" + listener.getAddress().getPort() + "/webhooks";
      planner.registerHook(new HookRequest().applicationId(app.appId()).deliveryUrl(address).secret(SECRET).eventTypes(types));

      Business business = operator.createBusiness(new BusinessRequest()
          .legalName("Corner Cafe").emailAddress("cafe@corner.example").country("US").type(BusinessRequest.Type.TEST_MERCHANT));
      operator.addPaymentMethod(business.businessId(), new PaymentMethodRequest().gateway(PaymentMethodRequest.Gateway.SANDBOX).token("tok_ok"));
      SubscriptionRequest request = new SubscriptionRequest().businessId(business.businessId()).planId(plans.get(0).planId());
      Tillhook sameKey = operatorOfApp.withIdempotencyKey(UUID.randomUUID().toString());
      Subscription subscription = sameKey.subscribe(request).asSubscription().orElseThrow();
      assertEquals(subscription, sameKey.subscribe(request).asSubscription().orElseThrow());

      assertEquals("genuine", bodies.poll(HEARD_WITHIN.toSeconds(), TimeUnit.SECONDS));
      assertEquals(Notification.EventType.APPLICATION_SUBSCRIPTION_START, events.get(0).eventType());
      assertEquals(subscription.subscriptionId(), events.get(0).resourceId());
      assertEquals(subscription.businessId() + " " + subscription.planId(), printed(() -> Planner.list(url, app.appId(), key.kid(), privateKey)));
      List<DeliverySummary> deliveries = planner.listAppDeliveries(new ListAppDeliveriesQuery().limit(1)).stream().collect(Collectors.toList());
      assertEquals(List.of(events.get(0).id()), deliveries.stream().map(DeliverySummary::id).collect(Collectors.toList()));

      App other = newApp(operator, "stranger");
      AppKey otherKey = operator.forApp(other.appId()).addAppKey();
      Tillhook stranger = Tillhook.builder(url).app(other.appId(), otherKey.kid(), otherKey.privateKey().orElseThrow()).build();
      rejected(404, "SUBSCRIPTION_NOT_FOUND", () -> stranger.getSubscription(subscription.subscriptionId()));
      rejected(404, "APPLICATION_NOT_FOUND", () -> stranger.forApp(app.appId()).getSubscription(subscription.subscriptionId()));
      rejected(401, "INVALID_ACCESS_TOKEN", () -> Tillhook.builder(url).token("wrong").build().listHooks());
      Planner.cancel(planner, subscription.subscriptionId());
      Planner.cancel(planner, subscription.subscriptionId());
      TillhookException wrong = rejected(400, "INVALID_PARAMETER", () -> operator.createOrganization(new OrganizationRequest().name("").email("a@b.example")));
      assertTrue(wrong.fields().size() > 0, wrong.getMessage());
    } finally {
      listener.stop(0);
    }
  }

  private static String printed(Runnable program) {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  private static TillhookException rejected(int status, String code, Runnable call) {
    TillhookException error = assertThrows(TillhookException.class, call::run);
    assertEquals(status + " " + code, error.status() + " " + error.code());
    assertTrue(error.requestId().isPresent());
    return error;
  }

  private static String verified(String body, HttpHeaders headers) {
    try {
      new Webhook(SECRET).verify(body, headers);
      return "genuine";
    } catch (Exception error) {
      return error.toString();
    }
  }

  private static App newApp(Tillhook operator, String name) {
    Organization organization = operator.createOrganization(new OrganizationRequest().name(name).email("dev@lakeside.example"));
    return operator.createApp(
        new AppRequest().organizationId(organization.organizationId()).name(name).packageName("com.example." + name));
  }

  private static ReleaseRequest.Plan plan(String name) {
    ReleaseRequest.Plan.Amount amount = new ReleaseRequest.Plan.Amount().country("US").currency("USD").value(500);
    return new ReleaseRequest.Plan()
        .name(name).interval(ReleaseRequest.Plan.Interval.MONTH).scope(ReleaseRequest.Plan.Scope.BUSINESS).amounts(List.of(amount));
  }

  private static void remove(Path path) throws Exception {
    try (Stream<Path> files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).forEach(one -> one.toFile().delete());
    }
  }
}
