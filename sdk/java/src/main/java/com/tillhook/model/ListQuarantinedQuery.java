// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List quarantined rows with their errors and next retries, most failures first". */
public final class ListQuarantinedQuery extends Query {
  public ListQuarantinedQuery count(long count) { set("count", count); return this; }
}
