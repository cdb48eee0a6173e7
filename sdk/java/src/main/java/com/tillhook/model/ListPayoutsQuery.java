// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List payouts, fees and adjustments of a developer, newest first". */
public final class ListPayoutsQuery extends Query {
  public ListPayoutsQuery start(long start) { set("start", start); return this; }
  public ListPayoutsQuery count(long count) { set("count", count); return this; }
}
