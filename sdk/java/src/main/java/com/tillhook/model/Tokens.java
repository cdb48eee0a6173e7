// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tokens. */
public final class Tokens extends Model {
  public Tokens(Map<String, ?> fields) { super(fields); }
  public String accessToken() { return required("accessToken", Model::asText); }
  public String refreshToken() { return required("refreshToken", Model::asText); }
  public long expiresIn() { return required("expiresIn", Model::asLong); }
  public Scope scope() { return required("scope", Scope::of); }
  public TokenType tokenType() { return required("tokenType", TokenType::of); }
  public enum Scope implements Value {
    ALL,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Scope of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum TokenType implements Value {
    BEARER,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static TokenType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
