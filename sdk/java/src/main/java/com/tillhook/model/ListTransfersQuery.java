// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the transfers to the payout account of a developer, newest first". */
public final class ListTransfersQuery extends Query {
  public ListTransfersQuery start(long start) { set("start", start); return this; }
  public ListTransfersQuery count(long count) { set("count", count); return this; }
}
