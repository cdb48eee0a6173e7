package com.tillhook;

/** No response arrived in time, or at all. The request may have been carried out. */
public final class TillhookConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TillhookConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
