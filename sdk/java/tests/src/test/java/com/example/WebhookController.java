package com.example;

import com.tillhook.WebhookHandler;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** The code of the guide "SDKs". */
@RestController
public class WebhookController {
  private final WebhookHandler handler;

  public WebhookController(WebhookHandler handler) {
    this.handler = handler;
  }

  @PostMapping("/webhooks")
  ResponseEntity<String> webhook(@RequestBody byte[] body, @RequestHeader HttpHeaders headers) {
    WebhookHandler.Answer answer = handler.answer(body, headers::getFirst);
    return ResponseEntity.status(answer.status()).body(answer.text());
  }
}
