// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App key request. */
public final class AppKeyRequest extends Model {
  public AppKeyRequest() {}
  public AppKeyRequest(Map<String, ?> fields) { super(fields); }
  public Optional<Object> publicKey() { return optional("publicKey", Model::asIs); }
  public AppKeyRequest publicKey(Object publicKey) { set("publicKey", publicKey); return this; }
}
