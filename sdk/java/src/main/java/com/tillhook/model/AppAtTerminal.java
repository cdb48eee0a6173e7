// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App at terminal. */
public final class AppAtTerminal extends Model {
  public AppAtTerminal(Map<String, ?> fields) { super(fields); }
  public String appId() { return required("appId", Model::asText); }
  public String packageName() { return required("packageName", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String developerName() { return required("developerName", Model::asText); }
  public Optional<Icon> icon() { return optional("icon", object(Icon::new)); }
  public Optional<ApprovedApk> approvedApk() { return optional("approvedApk", object(ApprovedApk::new)); }
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
  /** The newest approved release, if it came with an APK */
  public static final class ApprovedApk extends Model {
    public ApprovedApk(Map<String, ?> fields) { super(fields); }
    public long versionCode() { return required("versionCode", Model::asLong); }
    public String signerSha256() { return required("signerSha256", Model::asText); }
    public List<String> permissions() { return list("permissions", Model::asText); }
  }
}
