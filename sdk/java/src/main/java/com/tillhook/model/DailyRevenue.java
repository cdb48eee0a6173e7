// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Daily revenue. */
public final class DailyRevenue extends Model {
  public DailyRevenue(Map<String, ?> fields) { super(fields); }
  public String from() { return required("from", Model::asText); }
  public String to() { return required("to", Model::asText); }
  public MerchantType merchantType() { return required("merchantType", MerchantType::of); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public enum MerchantType implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MerchantType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public Opening opening() { return required("opening", object(Opening::new)); }
    public List<Day> days() { return list("days", object(Day::new)); }
    public static final class Opening extends Model {
      public Opening(Map<String, ?> fields) { super(fields); }
      public long mrr() { return required("mrr", Model::asLong); }
      public long subscribers() { return required("subscribers", Model::asLong); }
    }
    public static final class Day extends Model {
      public Day(Map<String, ?> fields) { super(fields); }
      public String day() { return required("day", Model::asText); }
      public long mrr() { return required("mrr", Model::asLong); }
      public long subscribers() { return required("subscribers", Model::asLong); }
      public New new_() { return required("new", object(New::new)); }
      public Expansion expansion() { return required("expansion", object(Expansion::new)); }
      public Contraction contraction() { return required("contraction", object(Contraction::new)); }
      public Churn churn() { return required("churn", object(Churn::new)); }
      public long trialsStarted() { return required("trialsStarted", Model::asLong); }
      public long trialsConverted() { return required("trialsConverted", Model::asLong); }
      public long trialsEnded() { return required("trialsEnded", Model::asLong); }
      public PastDue pastDue() { return required("pastDue", object(PastDue::new)); }
      public Recovered recovered() { return required("recovered", object(Recovered::new)); }
      public Lost lost() { return required("lost", object(Lost::new)); }
      public Collected collected() { return required("collected", object(Collected::new)); }
      public Refunded refunded() { return required("refunded", object(Refunded::new)); }
      public ChargedBack chargedBack() { return required("chargedBack", object(ChargedBack::new)); }
      public static final class New extends Model {
        public New(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Expansion extends Model {
        public Expansion(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Contraction extends Model {
        public Contraction(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Churn extends Model {
        public Churn(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class PastDue extends Model {
        public PastDue(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Recovered extends Model {
        public Recovered(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Lost extends Model {
        public Lost(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Collected extends Model {
        public Collected(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class Refunded extends Model {
        public Refunded(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
      public static final class ChargedBack extends Model {
        public ChargedBack(Map<String, ?> fields) { super(fields); }
        public long count() { return required("count", Model::asLong); }
        public long amount() { return required("amount", Model::asLong); }
      }
    }
  }
}
