/** Stored answers of idempotent calls by key, for a day (security rule 3.3). */
export default {
  name: "0014-once",
  up: /* sql */ `
create table once (
  company_id int not null references company on delete cascade,
  key text not null,
  -- Caller and request: the same key with another request is an error of the client.
  asked bytea not null,
  -- Null while the first request is running; other transactions see the row only after its commit.
  answer json,
  at timestamptz not null,
  primary key (company_id, key)
);
create index on once (company_id, at);

alter table once enable row level security;
alter table once force row level security;
create policy system on once to current_user using (true) with check (true);
create policy own on once to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on once to metrum_api;
`,
};
