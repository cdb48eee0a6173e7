// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Revocation. */
public final class Revocation extends Model {
  public Revocation() {}
  public Revocation(Map<String, ?> fields) { super(fields); }
  public String token() { return required("token", Model::asText); }
  public Optional<String> tokenTypeHint() { return optional("token_type_hint", Model::asText); }
  public Revocation token(String token) { set("token", token); return this; }
  public Revocation tokenTypeHint(String tokenTypeHint) { set("token_type_hint", tokenTypeHint); return this; }
}
