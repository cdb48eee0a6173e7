// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the payment methods of a merchant, the default first". */
public final class ListPaymentMethodsQuery extends Query {
  public ListPaymentMethodsQuery start(long start) { set("start", start); return this; }
  public ListPaymentMethodsQuery count(long count) { set("count", count); return this; }
}
