// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Unsettled charges. */
public final class UnsettledCharges extends Page<UnsettledCharge> {
  public UnsettledCharges(Map<String, ?> fields) { super(fields); }
  @Override public List<UnsettledCharge> items() { return list(); }
  public List<UnsettledCharge> list() { return list("list", object(UnsettledCharge::new)); }
  public Optional<String> next() { return optional("next", Model::asText); }
}
