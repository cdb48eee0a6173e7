// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Evidence request. */
public final class EvidenceRequest extends Model {
  public EvidenceRequest() {}
  public EvidenceRequest(Map<String, ?> fields) { super(fields); }
  public Optional<String> productDescription() { return optional("productDescription", Model::asText); }
  public Optional<String> customerCommunication() { return optional("customerCommunication", Model::asText); }
  public Optional<String> uncategorizedText() { return optional("uncategorizedText", Model::asText); }
  public EvidenceRequest productDescription(String productDescription) { set("productDescription", productDescription); return this; }
  public EvidenceRequest customerCommunication(String customerCommunication) { set("customerCommunication", customerCommunication); return this; }
  public EvidenceRequest uncategorizedText(String uncategorizedText) { set("uncategorizedText", uncategorizedText); return this; }
}
