// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Seller request. */
public final class SellerRequest extends Model {
  public SellerRequest() {}
  public SellerRequest(Map<String, ?> fields) { super(fields); }
  public String legalName() { return required("legalName", Model::asText); }
  public Optional<Address> address() { return optional("address", object(Address::new)); }
  public Optional<String> taxId() { return optional("taxId", Model::asText); }
  public SellerRequest legalName(String legalName) { set("legalName", legalName); return this; }
  public SellerRequest address(Address address) { set("address", address); return this; }
  public SellerRequest taxId(String taxId) { set("taxId", taxId); return this; }
  public static final class Address extends Model {
    public Address() {}
    public Address(Map<String, ?> fields) { super(fields); }
    public Optional<String> line1() { return optional("line1", Model::asText); }
    public Optional<String> line2() { return optional("line2", Model::asText); }
    public Optional<String> city() { return optional("city", Model::asText); }
    public Optional<String> territory() { return optional("territory", Model::asText); }
    public Optional<String> postalCode() { return optional("postalCode", Model::asText); }
    public Optional<String> countryCode() { return optional("countryCode", Model::asText); }
    public Address line1(String line1) { set("line1", line1); return this; }
    public Address line2(String line2) { set("line2", line2); return this; }
    public Address city(String city) { set("city", city); return this; }
    public Address territory(String territory) { set("territory", territory); return this; }
    public Address postalCode(String postalCode) { set("postalCode", postalCode); return this; }
    public Address countryCode(String countryCode) { set("countryCode", countryCode); return this; }
  }
}
