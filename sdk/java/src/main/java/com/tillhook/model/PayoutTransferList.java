// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Payout transfer list. */
public final class PayoutTransferList extends Page<PayoutTransfer> {
  public PayoutTransferList(Map<String, ?> fields) { super(fields); }
  @Override public List<PayoutTransfer> items() { return list(); }
  public List<PayoutTransfer> list() { return list("list", object(PayoutTransfer::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
}
