// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Approval list. */
public final class ApprovalList extends Model {
  public ApprovalList(Map<String, ?> fields) { super(fields); }
  public List<Approval> list() { return list("list", object(Approval::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
}
