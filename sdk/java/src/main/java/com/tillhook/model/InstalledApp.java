// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Installed app. */
public final class InstalledApp extends Model {
  public InstalledApp(Map<String, ?> fields) { super(fields); }
  public String appId() { return required("appId", Model::asText); }
  public String packageName() { return required("packageName", Model::asText); }
  public String version() { return required("version", Model::asText); }
  public String signerSha256() { return required("signerSha256", Model::asText); }
  public List<String> permissions() { return list("permissions", Model::asText); }
  public List<String> permissionsToApprove() { return list("permissionsToApprove", Model::asText); }
  public Instant installedAt() { return required("installedAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
}
