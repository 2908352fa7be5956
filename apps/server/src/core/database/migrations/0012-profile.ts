/**
 * User profile: two-factor authentication, API tokens in addition to browser sessions, the subscription to
 * news. Secrets are sealed with the key file of the installation and not readable by the role of the API.
 */
export default {
  name: "0012-profile",
  up: /* sql */ `
create table two_factor (
  user_id int primary key references users on delete cascade,
  -- Sealed; the pending one has no effect until one of its codes has been entered.
  secret bytea,
  pending_secret bytea,
  -- The last step of 30 s whose code was used: no code up to it is accepted again.
  last_step bigint not null default 0,
  enabled_at timestamptz,
  check ((secret is null) = (enabled_at is null))
);
create table two_factor_recovery (
  user_id int not null references two_factor on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

do $$
declare name text;
begin
  foreach name in array array['two_factor', 'two_factor_recovery'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to current_user using (true) with check (true)', name);
  end loop;
end $$;

alter table users add column newsletter_subscribed boolean not null default false;
alter table session add column kind text not null default 'web' check (kind in ('web', 'api')), add column name text;
-- Name of the API token that was used; null from a browser.
alter table audit add column via text;

create trigger tell_duty after update of password_change_needed
  on users for each row execute function tell_access('user', 'id');
create trigger tell_duty after insert or delete or update of enabled_at
  on two_factor for each row execute function tell_access('user', 'user_id');
`,
};
