/**
 * Notifications for open sessions: every change of an account, a company, a group, a tie or a session is sent
 * on the channel `metrum_access` when it commits, whatever its origin. A session ends with the session it was
 * entered from.
 */
export default {
  name: "0004-live",
  up: /* sql */ `
alter table session add column root_id int references session on delete cascade;
create index on session (root_id);
create index on session (expires_at);
alter table users add column last_sign_in_at timestamptz;

grant usage on sequence company_id_seq to metrum_api;

-- The attachments of the Socket.IO adapter: messages that are too long for NOTIFY.
create unlogged table socket_io_attachments (
  id bigserial unique,
  created_at timestamptz default now(),
  payload bytea
);

create function tell_access() returns trigger language plpgsql as $$
declare
  row_data jsonb := to_jsonb(coalesce(old, new));
begin
  perform pg_notify('metrum_access', tg_argv[0] || ':' || (row_data ->> tg_argv[1]));
  return null;
end $$;

create trigger tell_access after delete or update of company_id, access_group_id, email, is_admin, is_active, language, timezone
  on users for each row execute function tell_access('user', 'id');
create trigger tell_access after delete or update of parent_id, path, timezone, is_dealer, is_active, expires_at, active_modules,
  options, rules_belong_to_company_id on company for each row execute function tell_access('company', 'id');
create trigger tell_access after insert or delete or update on access_group
  for each row execute function tell_access('company', 'company_id');
create trigger tell_access after insert or delete on device_user
  for each row execute function tell_access('user', 'user_id');
create trigger tell_access after delete or update of company_id, expires_at
  on session for each row execute function tell_access('session', 'id');
`,
};
