/**
 * User administration: invitations, versions for optimistic locking, names that the log still needs when the
 * account is deleted. Disabling an account deletes its sessions, including those it entered or was entered
 * through, so that enabling it again revives no old token.
 */
export default {
  name: "0009-users",
  up: /* sql */ `
alter table users add column invited_at timestamptz;
alter table users add column version int not null default 1;
alter table access_group add column version int not null default 1;
create index on users (access_group_id);

create table departed_user (
  id int primary key,
  company_id int not null references company on delete cascade,
  name text not null,
  email text not null,
  departed_at timestamptz not null default now()
);
alter table departed_user enable row level security;
alter table departed_user force row level security;
create policy system on departed_user to current_user using (true) with check (true);
create policy own on departed_user to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert on departed_user to metrum_api;

create function end_sessions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from session where user_id = old.id or impersonator_id = old.id;
  return null;
end $$;
revoke execute on function end_sessions from public;
create trigger end_sessions after update of is_active on users
  for each row when (old.is_active and not new.is_active) execute function end_sessions();
`,
};
