// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invoice page. */
public final class InvoicePage extends Page<Invoice> {
  public InvoicePage(Map<String, ?> fields) { super(fields); }
  @Override public List<Invoice> items() { return list(); }
  public List<Invoice> list() { return list("list", object(Invoice::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
}
