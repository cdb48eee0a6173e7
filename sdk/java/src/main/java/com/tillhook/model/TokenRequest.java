// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Each name is also accepted as RFC 6749 writes it: grant_type, refresh_token and so on. */
public final class TokenRequest extends Model {
  public TokenRequest() {}
  public TokenRequest(Map<String, ?> fields) { super(fields); }
  public String grantType() { return required("grantType", Model::asText); }
  public Optional<String> assertion() { return optional("assertion", Model::asText); }
  public Optional<String> refreshToken() { return optional("refreshToken", Model::asText); }
  public Optional<String> code() { return optional("code", Model::asText); }
  public Optional<String> clientId() { return optional("clientId", Model::asText); }
  public Optional<String> redirectUri() { return optional("redirectUri", Model::asText); }
  public Optional<String> codeVerifier() { return optional("codeVerifier", Model::asText); }
  public TokenRequest grantType(String grantType) { set("grantType", grantType); return this; }
  public TokenRequest assertion(String assertion) { set("assertion", assertion); return this; }
  public TokenRequest refreshToken(String refreshToken) { set("refreshToken", refreshToken); return this; }
  public TokenRequest code(String code) { set("code", code); return this; }
  public TokenRequest clientId(String clientId) { set("clientId", clientId); return this; }
  public TokenRequest redirectUri(String redirectUri) { set("redirectUri", redirectUri); return this; }
  public TokenRequest codeVerifier(String codeVerifier) { set("codeVerifier", codeVerifier); return this; }
}
