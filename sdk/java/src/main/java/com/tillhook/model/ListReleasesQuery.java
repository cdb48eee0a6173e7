// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the releases of an app, without plans". */
public final class ListReleasesQuery extends Query {
  public ListReleasesQuery start(long start) { set("start", start); return this; }
  public ListReleasesQuery count(long count) { set("count", count); return this; }
}
