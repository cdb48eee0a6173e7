// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Country revenue. */
public final class CountryRevenue extends Model {
  public CountryRevenue(Map<String, ?> fields) { super(fields); }
  public String from() { return required("from", Model::asText); }
  public Optional<String> to() { return optional("to", Model::asText); }
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
    public String country() { return required("country", Model::asText); }
    public long mrr() { return required("mrr", Model::asLong); }
    public long subscribers() { return required("subscribers", Model::asLong); }
    public long collected() { return required("collected", Model::asLong); }
    public long returned() { return required("returned", Model::asLong); }
  }
}
