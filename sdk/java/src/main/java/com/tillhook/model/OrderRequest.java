// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Order request. */
public final class OrderRequest extends Model {
  public OrderRequest() {}
  public OrderRequest(Map<String, ?> fields) { super(fields); }
  public Optional<String> storeId() { return optional("storeId", Model::asText); }
  public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
  public Optional<Long> amount() { return optional("amount", Model::asLong); }
  public Optional<String> currency() { return optional("currency", Model::asText); }
  public Optional<String> reference() { return optional("reference", Model::asText); }
  public Optional<String> note() { return optional("note", Model::asText); }
  public OrderRequest storeId(String storeId) { set("storeId", storeId); return this; }
  public OrderRequest deviceId(String deviceId) { set("deviceId", deviceId); return this; }
  public OrderRequest amount(long amount) { set("amount", amount); return this; }
  public OrderRequest currency(String currency) { set("currency", currency); return this; }
  public OrderRequest reference(String reference) { set("reference", reference); return this; }
  public OrderRequest note(String note) { set("note", note); return this; }
}
