// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List refunds without an outcome: in progress or stuck". */
public final class ListUnsettledRefundsQuery extends Query {
  public ListUnsettledRefundsQuery state(State state) { set("state", state); return this; }
  public ListUnsettledRefundsQuery count(long count) { set("count", count); return this; }
  public ListUnsettledRefundsQuery after(String after) { set("after", after); return this; }
  public enum State implements Value {
    UNSETTLED, STUCK,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
