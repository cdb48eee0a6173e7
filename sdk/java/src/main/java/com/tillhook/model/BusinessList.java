// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business list. */
public final class BusinessList extends Page<BusinessSummary> {
  public BusinessList(Map<String, ?> fields) { super(fields); }
  @Override public List<BusinessSummary> items() { return businesses(); }
  public List<BusinessSummary> businesses() { return list("businesses", object(BusinessSummary::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
