// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Revenue. */
public final class Revenue extends Model {
  public Revenue(Map<String, ?> fields) { super(fields); }
  public String month() { return required("month", Model::asText); }
  public List<Item> list() { return list("list", object(Item::new)); }
  public static final class Item extends Model {
    public Item(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public Mrr mrr() { return required("mrr", object(Mrr::new)); }
    public Trials trials() { return required("trials", object(Trials::new)); }
    public Churn churn() { return required("churn", object(Churn::new)); }
    public Recovery recovery() { return required("recovery", object(Recovery::new)); }
    public static final class Mrr extends Model {
      public Mrr(Map<String, ?> fields) { super(fields); }
      public long amount() { return required("amount", Model::asLong); }
      public long subscriptions() { return required("subscriptions", Model::asLong); }
    }
    public static final class Trials extends Model {
      public Trials(Map<String, ?> fields) { super(fields); }
      public long ended() { return required("ended", Model::asLong); }
      public long converted() { return required("converted", Model::asLong); }
      public Optional<Long> rate() { return optional("rate", Model::asLong); }
    }
    public static final class Churn extends Model {
      public Churn(Map<String, ?> fields) { super(fields); }
      public long before() { return required("before", Model::asLong); }
      public long churned() { return required("churned", Model::asLong); }
      public Optional<Long> rate() { return optional("rate", Model::asLong); }
      public long beforeAmount() { return required("beforeAmount", Model::asLong); }
      public long churnedAmount() { return required("churnedAmount", Model::asLong); }
      public Optional<Long> amountRate() { return optional("amountRate", Model::asLong); }
    }
    public static final class Recovery extends Model {
      public Recovery(Map<String, ?> fields) { super(fields); }
      public long pastDue() { return required("pastDue", Model::asLong); }
      public long recovered() { return required("recovered", Model::asLong); }
      public long open() { return required("open", Model::asLong); }
      public Optional<Long> rate() { return optional("rate", Model::asLong); }
      public long pastDueAmount() { return required("pastDueAmount", Model::asLong); }
      public long recoveredAmount() { return required("recoveredAmount", Model::asLong); }
    }
  }
}
