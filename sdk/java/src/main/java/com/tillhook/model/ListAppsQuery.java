// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List apps by name, package name or id, newest first". */
public final class ListAppsQuery extends Query {
  public ListAppsQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public ListAppsQuery status(Status status) { set("status", status); return this; }
  public ListAppsQuery q(String q) { set("q", q); return this; }
  public ListAppsQuery limit(long limit) { set("limit", limit); return this; }
  public ListAppsQuery after(String after) { set("after", after); return this; }
  public enum Status implements Value {
    ACTIVE, DISABLED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
