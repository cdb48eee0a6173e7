// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review". */
public final class ListAllReleasesQuery extends Query {
  public ListAllReleasesQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public ListAllReleasesQuery status(Status status) { set("status", status); return this; }
  public ListAllReleasesQuery limit(long limit) { set("limit", limit); return this; }
  public ListAllReleasesQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    SUBMITTED, APPROVED, REJECTED, WITHDRAWN,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
