// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the plans of an app with the merchant's prices". */
public final class ListPlansAtTerminalQuery extends Query {
  public ListPlansAtTerminalQuery status(Status status) { set("status", status); return this; }
  public ListPlansAtTerminalQuery start(long start) { set("start", start); return this; }
  public ListPlansAtTerminalQuery count(long count) { set("count", count); return this; }
  public enum Status implements Value {
    INACTIVE, ACTIVE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
