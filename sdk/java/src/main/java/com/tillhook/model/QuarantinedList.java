// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Quarantined list. */
public final class QuarantinedList extends Model {
  public QuarantinedList(Map<String, ?> fields) { super(fields); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String kind() { return required("kind", Model::asText); }
    public String rowId() { return required("rowId", Model::asText); }
    public long failures() { return required("failures", Model::asLong); }
    public String lastError() { return required("lastError", Model::asText); }
    public Instant retryAt() { return required("retryAt", Model::asInstant); }
  }
}
