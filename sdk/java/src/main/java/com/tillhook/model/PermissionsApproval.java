// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Permissions approval. */
public final class PermissionsApproval extends Model {
  public PermissionsApproval() {}
  public PermissionsApproval(Map<String, ?> fields) { super(fields); }
  public List<String> permissions() { return list("permissions", Model::asText); }
  public PermissionsApproval permissions(List<String> permissions) { set("permissions", permissions); return this; }
}
