// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Seller. */
public final class Seller extends Model {
  public Seller(Map<String, ?> fields) { super(fields); }
  public String legalName() { return required("legalName", Model::asText); }
  public Optional<Address> address() { return optional("address", object(Address::new)); }
  public Optional<String> taxId() { return optional("taxId", Model::asText); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public static final class Address extends Model {
    public Address(Map<String, ?> fields) { super(fields); }
    public Optional<String> line1() { return optional("line1", Model::asText); }
    public Optional<String> line2() { return optional("line2", Model::asText); }
    public Optional<String> city() { return optional("city", Model::asText); }
    public Optional<String> territory() { return optional("territory", Model::asText); }
    public Optional<String> postalCode() { return optional("postalCode", Model::asText); }
    public Optional<String> countryCode() { return optional("countryCode", Model::asText); }
  }
}
