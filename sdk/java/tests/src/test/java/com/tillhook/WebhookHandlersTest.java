package com.tillhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.Planner;
import com.example.WebhookController;
import com.sun.net.httpserver.HttpServer;
import com.tillhook.model.Notification;
import com.tillhook.servlet.WebhookServlet;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** The handlers in Tomcat (the servlet, and a controller of Spring) and in the server of the JDK. */
class WebhookHandlersTest {
  private static final String SECRET = "whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0";
  private static final String BODY = "{\"id\":\"n1\",\"eventType\":\"TEST\",\"name\":\"Käse\"}";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<Notification> EVENTS = new ArrayList<>();

  private static boolean isDown;
  private static Tomcat tomcat;
  private static HttpServer server;
  private static Path folder;

  @EnableWebMvc
  static class Application {}

  @BeforeAll static void start() throws Exception {
    folder = Files.createTempDirectory("tillhook-tomcat-");
    tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", folder.toString());
    WebhookHandler handler = new WebhookHandler(new WebhookVerifier(SECRET), event -> {
      if (isDown) throw new IOException("no database");
      EVENTS.add(event);
    });
    for (String name : List.of("servlet", "read")) {
      Tomcat.addServlet(context, name, new WebhookServlet(handler));
      context.addServletMappingDecoded("/" + name, name);
    }
    FilterDef reader = new FilterDef();
    reader.setFilterName("reader");
    reader.setFilter(new Reader());
    context.addFilterDef(reader);
    FilterMap where = new FilterMap();
    where.setFilterName("reader");
    where.addURLPattern("/read");
    context.addFilterMap(where);

    AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
    spring.register(Application.class);
    spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("webhooks", new WebhookController(handler)));
    Tomcat.addServlet(context, "spring", new DispatcherServlet(spring)).setLoadOnStartup(1);
    context.addServletMappingDecoded("/spring/*", "spring");
    tomcat.start();
    server = Planner.listen(0, handler);
  }

  @AfterAll static void stop() throws Exception {
    server.stop(0);
    tomcat.stop();
    tomcat.destroy();
    try (var files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(path -> path.toFile().delete());
    }
  }

  @BeforeEach void begin() {
    isDown = false;
    EVENTS.clear();
  }

  @Test void theServletAcceptsRejectsAndReportsAFailedListener() throws Exception {
    acceptsRejectsAndReports(inTomcat("/servlet"), true);
  }

  @Test void aSpringControllerAcceptsRejectsAndReportsAFailedListener() throws Exception {
    acceptsRejectsAndReports(inTomcat("/spring/webhooks"), true);
  }

  @Test void aListenerInTheServerOfTheJdkAcceptsRejectsAndReportsAFailedListener() throws Exception {
    acceptsRejectsAndReports("http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks", false);
  }

  private static void acceptsRejectsAndReports(String url, boolean hasText) throws Exception {
    assertEquals(200, post(url, BODY, BODY).statusCode());
    assertEquals("n1", EVENTS.get(0).id());
    assertEquals(Notification.EventType.TEST, EVENTS.get(0).eventType());
    HttpResponse<String> forged = post(url, BODY + " ", BODY);
    assertEquals(400, forged.statusCode());
    if (hasText) assertTrue(forged.body().contains("serialised again"), forged.body());
    isDown = true;
    HttpResponse<String> failed = post(url, BODY, BODY);
    assertEquals(500, failed.statusCode());
    if (hasText) assertEquals("the listener failed", failed.body());
    assertEquals(1, EVENTS.size());
  }

  @Test void aBodyThatAFilterHasReadAnswers500WithTheRemedy() throws Exception {
    HttpResponse<String> response = post(inTomcat("/read"), BODY, BODY);
    assertEquals(500, response.statusCode());
    assertTrue(response.body().contains("before the verification"), response.body());
  }

  @Test void theServletReadsAtMostOneMebibyteAndAnswersPostOnly() throws Exception {
    assertEquals(413, post(inTomcat("/servlet"), " ".repeat((1 << 20) + 1), BODY).statusCode());
    URI uri = URI.create(inTomcat("/servlet"));
    assertEquals(405, HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding()).statusCode());
  }

  private static String inTomcat(String path) {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path;
  }

  private static HttpResponse<String> post(String url, String body, String signed) throws Exception {
    String timestamp = String.valueOf(Instant.now().getEpochSecond());
    HttpRequest request = HttpRequest.newBuilder(URI.create(url))
        .header("content-type", "application/json")
        .header("webhook-id", "n1")
        .header("webhook-timestamp", timestamp)
        .header("webhook-signature", ConformanceTest.sign(SECRET, "n1." + timestamp + "." + signed))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** A filter that logs bodies, for instance. */
  private static final class Reader implements Filter {
    @Override public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, jakarta.servlet.ServletException {
      request.getInputStream().readAllBytes();
      chain.doFilter(request, response);
    }
  }
}
