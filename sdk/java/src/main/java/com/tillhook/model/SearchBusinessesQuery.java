// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List businesses by name, e-mail or id, newest first, without stores". */
public final class SearchBusinessesQuery extends Query {
  public SearchBusinessesQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public SearchBusinessesQuery type(Type type) { set("type", type); return this; }
  public SearchBusinessesQuery q(String q) { set("q", q); return this; }
  public SearchBusinessesQuery limit(long limit) { set("limit", limit); return this; }
  public SearchBusinessesQuery after(String after) { set("after", after); return this; }
  public enum Type implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Type of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
