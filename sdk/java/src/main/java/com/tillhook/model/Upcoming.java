// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Upcoming. */
public final class Upcoming extends Page<Upcoming.Item> {
  public Upcoming(Map<String, ?> fields) { super(fields); }
  @Override public List<Upcoming.Item> items() { return list(); }
  public List<Day> days() { return list("days", object(Day::new)); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public long count() { return required("count", Model::asLong); }
  public Optional<String> next() { return optional("next", Model::asText); }
  public static final class Day extends Model {
    public Day(Map<String, ?> fields) { super(fields); }
    public String day() { return required("day", Model::asText); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long amount() { return required("amount", Model::asLong); }
  }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String subscriptionId() { return required("subscriptionId", Model::asText); }
    public String appId() { return required("appId", Model::asText); }
    public String businessId() { return required("businessId", Model::asText); }
    public String planId() { return required("planId", Model::asText); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long amount() { return required("amount", Model::asLong); }
    public Instant firstAt() { return required("firstAt", Model::asInstant); }
  }
}
