package com.tillhook;

import com.tillhook.model.Notification;
import java.util.function.UnaryOperator;

/**
 * Answers webhooks in any web framework. In Spring:
 *
 * <pre>{@code
 * @PostMapping("/webhooks")
 * ResponseEntity<String> webhook(@RequestBody byte[] body, @RequestHeader HttpHeaders headers) {
 *   WebhookHandler.Answer answer = handler.answer(body, headers::getFirst);
 *   return ResponseEntity.status(answer.status()).body(answer.text());
 * }
 * }</pre>
 */
public final class WebhookHandler {
  private static final System.Logger LOG = System.getLogger("com.tillhook");

  private final WebhookVerifier verifier;
  private final Listener listener;

  /** Store the event in {@code listener} and return: Tillhook waits 2 seconds. */
  public WebhookHandler(WebhookVerifier verifier, Listener listener) {
    this.verifier = verifier;
    this.listener = listener;
  }

  /** Receives genuine events. */
  @FunctionalInterface
  public interface Listener {
    void onEvent(Notification event) throws Exception;
  }

  /**
   * Verifies a webhook and calls the listener. The status is 200; 400 for a webhook that is not genuine; 500 if the listener throws, after
   * which Tillhook repeats the webhook.
   */
  public Answer answer(byte[] body, UnaryOperator<String> header) {
    Notification event;
    try {
      if (isEaten(body, header)) {
        throw new WebhookException(
            WebhookException.Code.BODY_PARSED, "the body was read before the verification. Mount the webhook before whatever reads its body");
      }
      event = verifier.verify(body, header);
    } catch (WebhookException error) {
      return new Answer(error.code() == WebhookException.Code.BODY_PARSED ? 500 : 400, error.getMessage());
    }
    try {
      listener.onEvent(event);
      return new Answer(200, "");
    } catch (Exception error) {
      LOG.log(System.Logger.Level.ERROR, "the webhook listener failed", error);
      return new Answer(500, "the listener failed");
    }
  }

  /** A filter or {@code getParameter} read the body: no byte is left of a body that had some. */
  private static boolean isEaten(byte[] body, UnaryOperator<String> header) {
    String length = header.apply("content-length");
    return body.length == 0 && length != null && !length.equals("0");
  }

  /** The response to a webhook. */
  public static final class Answer {
    private final int status;
    private final String text;

    Answer(int status, String text) {
      this.status = status;
      this.text = text;
    }

    public int status() {
      return status;
    }

    public String text() {
      return text;
    }
  }
}
