// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the requests of an app's tokens in the last 7 days, newest first". */
public final class ListAppRequestsQuery extends Query {
  public ListAppRequestsQuery method(Method method) { set("method", method); return this; }
  public ListAppRequestsQuery httpStatus(String httpStatus) { set("httpStatus", httpStatus); return this; }
  public ListAppRequestsQuery requestId(String requestId) { set("requestId", requestId); return this; }
  public ListAppRequestsQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public ListAppRequestsQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public ListAppRequestsQuery limit(long limit) { set("limit", limit); return this; }
  public ListAppRequestsQuery after(String after) { set("after", after); return this; }
  public enum Method implements Value {
    GET, POST, PUT, PATCH, DELETE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Method of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
