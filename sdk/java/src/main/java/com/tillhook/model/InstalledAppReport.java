// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Installed app report. */
public final class InstalledAppReport extends Model {
  public InstalledAppReport() {}
  public InstalledAppReport(Map<String, ?> fields) { super(fields); }
  public String version() { return required("version", Model::asText); }
  public String signerSha256() { return required("signerSha256", Model::asText); }
  public List<String> permissions() { return list("permissions", Model::asText); }
  public InstalledAppReport version(String version) { set("version", version); return this; }
  public InstalledAppReport signerSha256(String signerSha256) { set("signerSha256", signerSha256); return this; }
  public InstalledAppReport permissions(List<String> permissions) { set("permissions", permissions); return this; }
}
