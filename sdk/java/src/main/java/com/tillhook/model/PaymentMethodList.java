// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payment method list. */
public final class PaymentMethodList extends Page<PaymentMethod> {
  public PaymentMethodList(Map<String, ?> fields) { super(fields); }
  @Override public List<PaymentMethod> items() { return list(); }
  public List<PaymentMethod> list() { return list("list", object(PaymentMethod::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
}
