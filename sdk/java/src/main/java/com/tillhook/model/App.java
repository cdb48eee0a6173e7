// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App. */
public final class App extends Model {
  public App(Map<String, ?> fields) { super(fields); }
  public String appId() { return required("appId", Model::asText); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String packageName() { return required("packageName", Model::asText); }
  public List<String> callbackUrls() { return list("callbackUrls", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<DisabledBy> disabledBy() { return optional("disabledBy", DisabledBy::of); }
  public Optional<Icon> icon() { return optional("icon", object(Icon::new)); }
  public List<Key> keys() { return list("keys", object(Key::new)); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public Optional<String> kid() { return optional("kid", Model::asText); }
  public Optional<String> privateKey() { return optional("privateKey", Model::asText); }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum DisabledBy implements Value {
    DEVELOPER, OPERATOR,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static DisabledBy of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  /** Absent: merchants see its first letter */
  public static final class Icon extends Model {
    public Icon(Map<String, ?> fields) { super(fields); }
    public String url() { return required("url", Model::asText); }
    public ContentType contentType() { return required("contentType", ContentType::of); }
    public String sha256() { return required("sha256", Model::asText); }
    public enum ContentType implements Value {
      IMAGE_PNG("image/png"), IMAGE_JPEG("image/jpeg"), IMAGE_WEBP("image/webp"),
      /** A value that is newer than this SDK. */
      UNRECOGNIZED("UNRECOGNIZED");

      private final String value;
      ContentType(String value) { this.value = value; }
      @Override public String value() { return value; }
      static ContentType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
  public static final class Key extends Model {
    public Key(Map<String, ?> fields) { super(fields); }
    public String kid() { return required("kid", Model::asText); }
    public Instant createdAt() { return required("createdAt", Model::asInstant); }
    public Optional<String> lastUsedAt() { return optional("lastUsedAt", Model::asText); }
    public Optional<String> lastUsedFrom() { return optional("lastUsedFrom", Model::asText); }
  }
}
