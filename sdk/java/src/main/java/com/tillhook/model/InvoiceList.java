// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invoice list. */
public final class InvoiceList extends Page<ListedInvoice> {
  public InvoiceList(Map<String, ?> fields) { super(fields); }
  @Override public List<ListedInvoice> items() { return invoices(); }
  public List<ListedInvoice> invoices() { return list("invoices", object(ListedInvoice::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
