// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tax rate list. */
public final class TaxRateList extends Model {
  public TaxRateList(Map<String, ?> fields) { super(fields); }
  public List<TaxRate> list() { return list("list", object(TaxRate::new)); }
}
