// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Activation. */
public final class Activation extends Model {
  public Activation() {}
  public Activation(Map<String, ?> fields) { super(fields); }
  public String activationCode() { return required("activationCode", Model::asText); }
  public Object publicKey() { return required("publicKey", Model::asIs); }
  public Activation activationCode(String activationCode) { set("activationCode", activationCode); return this; }
  public Activation publicKey(Object publicKey) { set("publicKey", publicKey); return this; }
}
