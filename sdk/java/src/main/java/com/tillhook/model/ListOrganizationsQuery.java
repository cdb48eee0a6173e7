// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List organizations by name, e-mail or id, newest first". */
public final class ListOrganizationsQuery extends Query {
  public ListOrganizationsQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public ListOrganizationsQuery q(String q) { set("q", q); return this; }
  public ListOrganizationsQuery limit(long limit) { set("limit", limit); return this; }
  public ListOrganizationsQuery after(String after) { set("after", after); return this; }
}
