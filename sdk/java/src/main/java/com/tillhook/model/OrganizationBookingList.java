// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization booking list. */
public final class OrganizationBookingList extends Page<OrganizationBookingList.Item> {
  public OrganizationBookingList(Map<String, ?> fields) { super(fields); }
  @Override public List<OrganizationBookingList.Item> items() { return list(); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public long start() { return required("start", Model::asLong); }
  public long total() { return required("total", Model::asLong); }
  public long count() { return required("count", Model::asLong); }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String bookingId() { return required("bookingId", Model::asText); }
    public String organizationId() { return required("organizationId", Model::asText); }
    public Kind kind() { return required("kind", Kind::of); }
    public long amount() { return required("amount", Model::asLong); }
    public String currency() { return required("currency", Model::asText); }
    public String reference() { return required("reference", Model::asText); }
    public Instant createdAt() { return required("createdAt", Model::asInstant); }
    public enum Kind implements Value {
      FEE, PAYOUT, ADJUSTMENT,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
}
