package com.tillhook;

/** The webhook is not genuine, or the listener passed something else than the received bytes. */
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  public enum Code {
    /** The body was read before the verification. */
    BODY_PARSED,
    HEADER_MISSING,
    TOO_OLD,
    BAD_SIGNATURE,
    BAD_BODY
  }

  private final Code code;

  WebhookException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
