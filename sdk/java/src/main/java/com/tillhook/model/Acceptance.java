// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Acceptance. */
public final class Acceptance extends Model {
  public Acceptance() {}
  public Acceptance(Map<String, ?> fields) { super(fields); }
  public String secret() { return required("secret", Model::asText); }
  public Optional<String> name() { return optional("name", Model::asText); }
  public String password() { return required("password", Model::asText); }
  public Acceptance secret(String secret) { set("secret", secret); return this; }
  public Acceptance name(String name) { set("name", name); return this; }
  public Acceptance password(String password) { set("password", password); return this; }
}
