package com.example;

import com.sun.net.httpserver.HttpServer;
import com.tillhook.Tillhook;
import com.tillhook.TillhookException;
import com.tillhook.WebhookHandler;
import com.tillhook.WebhookVerifier;
import com.tillhook.model.ListSubscriptionsQuery;
import com.tillhook.model.Notification;
import com.tillhook.model.Subscription;
import com.tillhook.servlet.WebhookServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** The code of the guide "SDKs" and the README. */
public class Planner {
  private final List<Notification> stored;

  public Planner(List<Notification> stored) {
    this.stored = stored;
  }

  public static void list(String baseUrl, String appId, String keyId, String privateKey) {
    Tillhook tillhook = Tillhook.builder(baseUrl).app(appId, keyId, privateKey).build();
    ListSubscriptionsQuery active = new ListSubscriptionsQuery().status(ListSubscriptionsQuery.Status.ACTIVE);
    for (Subscription subscription : tillhook.listSubscriptions(active).each()) {
      System.out.println(subscription.businessId() + " " + subscription.planId());
    }
  }

  public static void cancel(Tillhook tillhook, String subscriptionId) {
    try {
      tillhook.cancelSubscription(subscriptionId);
    } catch (TillhookException error) {
      if (!error.code().equals("ALREADY_ENDED")) throw error;
    }
  }

  public WebhookHandler handler(String secret) {
    WebhookHandler handler = new WebhookHandler(new WebhookVerifier(secret), event -> store(event));
    return handler;
  }

  public WebhookServlet servlet(String secret) {
    return new WebhookServlet(handler(secret));
  }

  public static HttpServer listen(int port, WebhookHandler handler) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/webhooks", exchange -> {
      WebhookHandler.Answer answer = handler.answer(exchange.getRequestBody().readAllBytes(), exchange.getRequestHeaders()::getFirst);
      exchange.sendResponseHeaders(answer.status(), -1);
      exchange.close();
    });
    server.start();
    return server;
  }

  private void store(Notification event) {
    stored.add(event);
  }
}
