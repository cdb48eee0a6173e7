// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App request. */
public final class AppRequest extends Model {
  public AppRequest() {}
  public AppRequest(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String packageName() { return required("packageName", Model::asText); }
  public List<String> callbackUrls() { return list("callbackUrls", Model::asText); }
  public Optional<Object> publicKey() { return optional("publicKey", Model::asIs); }
  public AppRequest organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public AppRequest name(String name) { set("name", name); return this; }
  public AppRequest packageName(String packageName) { set("packageName", packageName); return this; }
  public AppRequest callbackUrls(List<String> callbackUrls) { set("callbackUrls", callbackUrls); return this; }
  public AppRequest publicKey(Object publicKey) { set("publicKey", publicKey); return this; }
}
