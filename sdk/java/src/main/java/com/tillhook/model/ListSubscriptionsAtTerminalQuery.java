// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the merchant's subscriptions to an app for this terminal". */
public final class ListSubscriptionsAtTerminalQuery extends Query {
  public ListSubscriptionsAtTerminalQuery status(Status status) { set("status", status); return this; }
  public ListSubscriptionsAtTerminalQuery start(long start) { set("start", start); return this; }
  public ListSubscriptionsAtTerminalQuery count(long count) { set("count", count); return this; }
  public ListSubscriptionsAtTerminalQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    PENDING, ACTIVE, ENDED, ALL,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
