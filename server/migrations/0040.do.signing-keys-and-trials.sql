-- Signing keys may now be rotated by request, which is an act.

create trigger signing_keys_audited after insert or update or delete on signing_keys for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('SIGNING_KEY', '{kid}', '{private_jwk}');
