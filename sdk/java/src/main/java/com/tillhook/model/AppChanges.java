// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App changes. */
public final class AppChanges extends Model {
  public AppChanges() {}
  public AppChanges(Map<String, ?> fields) { super(fields); }
  public Optional<String> name() { return optional("name", Model::asText); }
  public List<String> callbackUrls() { return list("callbackUrls", Model::asText); }
  public Optional<Status> status() { return optional("status", Status::of); }
  public AppChanges name(String name) { set("name", name); return this; }
  public AppChanges callbackUrls(List<String> callbackUrls) { set("callbackUrls", callbackUrls); return this; }
  public AppChanges status(Status status) { set("status", status); return this; }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
