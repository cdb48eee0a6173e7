// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the charges of the next days, assuming that every charge succeeds". */
public final class ListUpcomingChargesQuery extends Query {
  public ListUpcomingChargesQuery days(long days) { set("days", days); return this; }
  public ListUpcomingChargesQuery count(long count) { set("count", count); return this; }
  public ListUpcomingChargesQuery after(String after) { set("after", after); return this; }
}
