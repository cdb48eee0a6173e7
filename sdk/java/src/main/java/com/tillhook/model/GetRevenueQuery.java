// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "Get recurring revenue, trial conversion, churn and recovery of a month, by currency". */
public final class GetRevenueQuery extends Query {
  public GetRevenueQuery month(String month) { set("month", month); return this; }
  public GetRevenueQuery currency(String currency) { set("currency", currency); return this; }
}
