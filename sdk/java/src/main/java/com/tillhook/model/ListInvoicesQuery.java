// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions". */
public final class ListInvoicesQuery extends Query {
  public ListInvoicesQuery start(long start) { set("start", start); return this; }
  public ListInvoicesQuery count(long count) { set("count", count); return this; }
}
