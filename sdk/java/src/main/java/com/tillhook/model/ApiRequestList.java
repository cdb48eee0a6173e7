// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Api request list. */
public final class ApiRequestList extends Page<ApiRequest> {
  public ApiRequestList(Map<String, ?> fields) { super(fields); }
  @Override public List<ApiRequest> items() { return requests(); }
  public List<ApiRequest> requests() { return list("requests", object(ApiRequest::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
