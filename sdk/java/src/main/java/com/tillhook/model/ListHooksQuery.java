// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List hooks in order of creation". */
public final class ListHooksQuery extends Query {
  public ListHooksQuery applicationId(String applicationId) { set("applicationId", applicationId); return this; }
  public ListHooksQuery businessId(String businessId) { set("businessId", businessId); return this; }
  public ListHooksQuery active(boolean active) { set("active", active); return this; }
  public ListHooksQuery limit(long limit) { set("limit", limit); return this; }
  public ListHooksQuery after(String after) { set("after", after); return this; }
}
