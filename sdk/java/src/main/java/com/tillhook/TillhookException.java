package com.tillhook;

import com.tillhook.model.ApiError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An error response of Tillhook. Decide by {@link #code()}; log the message and {@link #requestId()}. */
public final class TillhookException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;
  @SuppressWarnings("serial") // The maps, lists and values of Json are serializable.
  private final Map<String, Object> body;
  private final String requestId;

  TillhookException(int status, Map<String, Object> body, String requestId) {
    super(message(status, body, requestId));
    this.status = status;
    this.body = body;
    this.requestId = requestId;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The stable name of the problem, for instance {@code PLAN_NOT_FOUND}; {@code UNREADABLE_RESPONSE} if the response has no error body. */
  public String code() {
    return body.getOrDefault("code", "UNREADABLE_RESPONSE").toString();
  }

  /** The invalid fields, if the error names any. */
  public List<ApiError.Field> fields() {
    return new ApiError(body).fields();
  }

  /** The id to give to support. */
  public Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** The whole error body. */
  public Map<String, Object> body() {
    return body;
  }

  private static String message(int status, Map<String, Object> body, String requestId) {
    Object code = body.getOrDefault("code", "UNREADABLE_RESPONSE");
    Object text = body.getOrDefault("developerMessage", "the response is not JSON of the API");
    return status + " " + code + ": " + text + (requestId == null ? "" : " (request " + requestId + ")");
  }
}
