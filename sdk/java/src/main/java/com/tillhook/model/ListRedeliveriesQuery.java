// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the redeliveries of an app, newest first". */
public final class ListRedeliveriesQuery extends Query {
  public ListRedeliveriesQuery limit(long limit) { set("limit", limit); return this; }
  public ListRedeliveriesQuery after(String after) { set("after", after); return this; }
}
