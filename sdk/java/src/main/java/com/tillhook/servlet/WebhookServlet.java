package com.tillhook.servlet;

import com.tillhook.WebhookHandler;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Answers webhooks in Jetty, Tomcat and Spring Boot:
 *
 * <pre>{@code
 * @Bean ServletRegistrationBean<WebhookServlet> webhooks() {
 *   return new ServletRegistrationBean<>(new WebhookServlet(new WebhookHandler(verifier, this::store)), "/webhooks");
 * }
 * }</pre>
 */
public final class WebhookServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  /** A webhook has about 1 kB. */
  private static final int MOST_BYTES = 1 << 20;

  private final transient WebhookHandler handler;

  public WebhookServlet(WebhookHandler handler) {
    this.handler = handler;
  }

  @Override protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    byte[] body = request.getInputStream().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      response.setStatus(413);
      return;
    }
    WebhookHandler.Answer answer = handler.answer(body, request::getHeader);
    response.setStatus(answer.status());
    response.setContentType("text/plain;charset=utf-8");
    response.getOutputStream().write(answer.text().getBytes(StandardCharsets.UTF_8));
  }
}
