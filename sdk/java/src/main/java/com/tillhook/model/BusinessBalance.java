// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business balance. */
public final class BusinessBalance extends Model {
  public BusinessBalance(Map<String, ?> fields) { super(fields); }
  public String businessId() { return required("businessId", Model::asText); }
  public List<Balance> balances() { return list("balances", object(Balance::new)); }
  public static final class Balance extends Model {
    public Balance(Map<String, ?> fields) { super(fields); }
    public String organizationId() { return required("organizationId", Model::asText); }
    public String currency() { return required("currency", Model::asText); }
    public long charged() { return required("charged", Model::asLong); }
    public long refunded() { return required("refunded", Model::asLong); }
    public long chargedBack() { return required("chargedBack", Model::asLong); }
    public long credit() { return required("credit", Model::asLong); }
  }
}
