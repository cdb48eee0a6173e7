// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The optional parameters of: Rows whose handling failed, the most often failed first: their errors and the time of the next retry. */
public final class ListQuarantinedQuery extends Query {
  public ListQuarantinedQuery count(long count) { set("count", count); return this; }
}
