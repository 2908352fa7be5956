/** White-label branding by host with its files, and errors reported by browsers. */
export default {
  name: "0013-design",
  up: /* sql */ `
create table design (
  company_id int primary key references company on delete cascade,
  title text,
  "linkToHelp" text,
  accent text,
  logo_cloud text,
  logo_cloud_en text,
  logo_auth text,
  favicon text,
  stylesheet text,
  script text,
  demo jsonb,
  updated_at timestamptz not null default now()
);

-- A host shows one design; platform staff assign the hosts.
create table design_host (
  host text primary key,
  company_id int not null references design on delete cascade
);
create index on design_host (company_id);

-- Named by their content, so that browsers may cache them for ever; in the database, so that every process and backup has them.
create table design_file (
  name text not null,
  company_id int not null references design on delete cascade,
  bytes bytea not null,
  primary key (name, company_id)
);
create index on design_file (company_id);

-- Equal errors are one row with a count. It contains no personal data.
create table client_error (
  fingerprint text primary key,
  message text not null,
  stack text,
  url text,
  user_agent text,
  app_version text,
  times int not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index on client_error (last_at);

do $$
declare name text;
begin
  foreach name in array array['design', 'design_host', 'design_file'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to current_user using (true) with check (true)', name);
    -- Platform staff manage the designs of all companies below: the visible rows of company are those of the branch.
    execute format('create policy branch on %I to metrum_api using (company_id in (select id from company)) with check (company_id in (select id from company))', name);
  end loop;
end $$;

grant select, insert, update, delete on design, design_host, design_file to metrum_api;
`,
};
