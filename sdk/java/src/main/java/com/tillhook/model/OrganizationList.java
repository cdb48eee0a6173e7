// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization list. */
public final class OrganizationList extends Page<Organization> {
  public OrganizationList(Map<String, ?> fields) { super(fields); }
  @Override public List<Organization> items() { return organizations(); }
  public List<Organization> organizations() { return list("organizations", object(Organization::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
