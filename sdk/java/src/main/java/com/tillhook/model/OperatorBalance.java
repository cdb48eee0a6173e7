// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operator balance. */
public final class OperatorBalance extends Model {
  public OperatorBalance(Map<String, ?> fields) { super(fields); }
  public List<Balance> balances() { return list("balances", object(Balance::new)); }
  public List<TestBalance> testBalances() { return list("testBalances", object(TestBalance::new)); }
  public static final class Balance extends Model {
    public Balance(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long charged() { return required("charged", Model::asLong); }
    public long refunds() { return required("refunds", Model::asLong); }
    public long refunded() { return required("refunded", Model::asLong); }
    public long chargedBack() { return required("chargedBack", Model::asLong); }
    public long share() { return required("share", Model::asLong); }
    public long credited() { return required("credited", Model::asLong); }
    public Optional<Long> tax() { return optional("tax", Model::asLong); }
    public Optional<Long> fees() { return optional("fees", Model::asLong); }
    public Optional<Long> paidOut() { return optional("paidOut", Model::asLong); }
    public Optional<Long> adjusted() { return optional("adjusted", Model::asLong); }
    public long owed() { return required("owed", Model::asLong); }
    public Optional<Long> gatewayFees() { return optional("gatewayFees", Model::asLong); }
  }
  public static final class TestBalance extends Model {
    public TestBalance(Map<String, ?> fields) { super(fields); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long charged() { return required("charged", Model::asLong); }
    public long refunds() { return required("refunds", Model::asLong); }
    public long refunded() { return required("refunded", Model::asLong); }
    public long chargedBack() { return required("chargedBack", Model::asLong); }
    public long share() { return required("share", Model::asLong); }
    public long credited() { return required("credited", Model::asLong); }
    public Optional<Long> tax() { return optional("tax", Model::asLong); }
    public Optional<Long> fees() { return optional("fees", Model::asLong); }
    public Optional<Long> paidOut() { return optional("paidOut", Model::asLong); }
    public Optional<Long> adjusted() { return optional("adjusted", Model::asLong); }
    public long owed() { return required("owed", Model::asLong); }
    public Optional<Long> gatewayFees() { return optional("gatewayFees", Model::asLong); }
  }
}
