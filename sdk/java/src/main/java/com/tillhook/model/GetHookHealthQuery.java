// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours". */
public final class GetHookHealthQuery extends Query {
  public GetHookHealthQuery from(Instant from) { set("from", from); return this; }
  public GetHookHealthQuery to(Instant to) { set("to", to); return this; }
}
