// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business request. */
public final class BusinessRequest extends Model {
  public BusinessRequest() {}
  public BusinessRequest(Map<String, ?> fields) { super(fields); }
  public String legalName() { return required("legalName", Model::asText); }
  public String emailAddress() { return required("emailAddress", Model::asText); }
  public String country() { return required("country", Model::asText); }
  public Type type() { return required("type", Type::of); }
  public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
  public Optional<String> billingEmail() { return optional("billingEmail", Model::asText); }
  public Optional<String> taxId() { return optional("taxId", Model::asText); }
  public Optional<Language> language() { return optional("language", Language::of); }
  public List<MailsOff> mailsOff() { return list("mailsOff", MailsOff::of); }
  public Optional<String> doingBusinessAs() { return optional("doingBusinessAs", Model::asText); }
  public Optional<Phone> phone() { return optional("phone", object(Phone::new)); }
  public Optional<Address> address() { return optional("address", object(Address::new)); }
  public Optional<String> timezone() { return optional("timezone", Model::asText); }
  public BusinessRequest legalName(String legalName) { set("legalName", legalName); return this; }
  public BusinessRequest emailAddress(String emailAddress) { set("emailAddress", emailAddress); return this; }
  public BusinessRequest country(String country) { set("country", country); return this; }
  public BusinessRequest type(Type type) { set("type", type); return this; }
  public BusinessRequest organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public BusinessRequest billingEmail(String billingEmail) { set("billingEmail", billingEmail); return this; }
  public BusinessRequest taxId(String taxId) { set("taxId", taxId); return this; }
  public BusinessRequest language(Language language) { set("language", language); return this; }
  public BusinessRequest mailsOff(List<MailsOff> mailsOff) { set("mailsOff", mailsOff); return this; }
  public BusinessRequest doingBusinessAs(String doingBusinessAs) { set("doingBusinessAs", doingBusinessAs); return this; }
  public BusinessRequest phone(Phone phone) { set("phone", phone); return this; }
  public BusinessRequest address(Address address) { set("address", address); return this; }
  public BusinessRequest timezone(String timezone) { set("timezone", timezone); return this; }
  public enum Type implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Type of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Language implements Value {
    EN("en"), DE("de"), FR("fr"), ES("es"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Language(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Language of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MailsOff implements Value {
    RECEIPT, CARD_EXPIRING, RESTORED, REFUND,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MailsOff of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Phone extends Model {
    public Phone() {}
    public Phone(Map<String, ?> fields) { super(fields); }
    public Optional<String> ituCountryCode() { return optional("ituCountryCode", Model::asText); }
    public Optional<String> areaCode() { return optional("areaCode", Model::asText); }
    public Optional<String> localPhoneNumber() { return optional("localPhoneNumber", Model::asText); }
    public Phone ituCountryCode(String ituCountryCode) { set("ituCountryCode", ituCountryCode); return this; }
    public Phone areaCode(String areaCode) { set("areaCode", areaCode); return this; }
    public Phone localPhoneNumber(String localPhoneNumber) { set("localPhoneNumber", localPhoneNumber); return this; }
  }
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
