/** One-time codes with which platform staff enter a company or an account; live processes. */
export default {
  name: "0011-administration",
  up: /* sql */ `
-- Only the SHA-256 of a code is stored. It expires with the session that requested it.
create table entry_code (
  code_hash bytea primary key,
  company_id int not null references company on delete cascade,
  issuer_id int not null references users on delete cascade,
  session_id int not null references session on delete cascade,
  -- Without a user the staff member works there under their own name.
  target_company_id int not null references company on delete cascade,
  target_user_id int references users on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index on entry_code (session_id);
create index on entry_code (expires_at);
create index on entry_code (issuer_id);
create index on session (impersonator_id) where impersonator_id is not null;

alter table entry_code enable row level security;
alter table entry_code force row level security;
create policy system on entry_code to current_user using (true) with check (true);
create policy own on entry_code to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on entry_code to metrum_api;

-- Each process of the installation regularly records that it is alive.
create table process_seen (
  id uuid primary key,
  host text not null,
  pid int not null,
  roles text[] not null,
  version text not null,
  node text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
`,
};
