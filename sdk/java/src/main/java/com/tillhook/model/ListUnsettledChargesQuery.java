// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List charges without an outcome: in progress, unknown, waiting or stuck". */
public final class ListUnsettledChargesQuery extends Query {
  public ListUnsettledChargesQuery state(State state) { set("state", state); return this; }
  public ListUnsettledChargesQuery count(long count) { set("count", count); return this; }
  public ListUnsettledChargesQuery after(String after) { set("after", after); return this; }
  public enum State implements Value {
    UNSETTLED, IN_FLIGHT, UNKNOWN, WAITING, STUCK,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
