// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Release list. */
public final class ReleaseList extends Page<ReleaseList.Release> {
  public ReleaseList(Map<String, ?> fields) { super(fields); }
  @Override public List<ReleaseList.Release> items() { return releases(); }
  public List<Release> releases() { return list("releases", object(Release::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
  public static final class Release extends Model {
    public Release(Map<String, ?> fields) { super(fields); }
    public String releaseId() { return required("releaseId", Model::asText); }
    public String appId() { return required("appId", Model::asText); }
    public String version() { return required("version", Model::asText); }
    public Status status() { return required("status", Status::of); }
    public Optional<String> notes() { return optional("notes", Model::asText); }
    public Optional<String> reason() { return optional("reason", Model::asText); }
    public Optional<Package> package_() { return optional("package", object(Package::new)); }
    public Instant createdAt() { return required("createdAt", Model::asInstant); }
    public Optional<Instant> decidedAt() { return optional("decidedAt", Model::asInstant); }
    public enum Status implements Value {
      SUBMITTED, APPROVED, REJECTED, WITHDRAWN,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public static final class Package extends Model {
      public Package(Map<String, ?> fields) { super(fields); }
      public long size() { return required("size", Model::asLong); }
      public String sha256() { return required("sha256", Model::asText); }
      public String contentType() { return required("contentType", Model::asText); }
      public Optional<Apk> apk() { return optional("apk", object(Apk::new)); }
      /** The data that the service read from the APK */
      public static final class Apk extends Model {
        public Apk(Map<String, ?> fields) { super(fields); }
        public String packageName() { return required("packageName", Model::asText); }
        public long versionCode() { return required("versionCode", Model::asLong); }
        public String signerSha256() { return required("signerSha256", Model::asText); }
        public List<String> permissions() { return list("permissions", Model::asText); }
        public Optional<String> versionName() { return optional("versionName", Model::asText); }
        public Optional<String> label() { return optional("label", Model::asText); }
        public Optional<String> icon() { return optional("icon", Model::asText); }
      }
    }
  }
}
