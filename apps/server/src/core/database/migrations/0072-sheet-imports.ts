/**
 * Imports of devices, gateways and base stations from spreadsheets, filled by uploads. A company keeps its last ten
 * for 30 days (`sheetImportBounds`), with their rows and what undoes them; a worker deletes older ones.
 * `sheet_mapping` has a row per kind and company: the columns of former files.
 */
export default {
  name: "0072-sheet-imports",
  up: /* sql */ `
create table sheet_import (
  id int generated always as identity primary key,
  company_id int not null references company,
  user_id int references users on delete set null,
  kind text not null,
  file_name text not null,
  state text not null,
  headers jsonb not null,
  mapping jsonb not null,
  row_count int not null,
  -- Rows up to this one of the file are done in the present step.
  passed_row int not null default 0,
  done_count int not null default 0,
  counts jsonb not null,
  -- Batches in succession that could not be stored.
  failures int not null default 0,
  -- Session of the user who began the present step.
  acting jsonb,
  created_at bigint not null,
  worked_at bigint not null,
  ran_at bigint,
  undone_at bigint
);
create index sheet_import_listed on sheet_import (company_id, id desc);
create index sheet_import_going on sheet_import (worked_at) where state in ('rehearsing', 'running');
create table sheet_import_row (
  import_id int not null references sheet_import on delete cascade,
  row int not null,
  company_id int not null references company,
  cells jsonb not null,
  -- Number of the thing, as it is compared.
  key text,
  outcome text,
  faults jsonb,
  -- Texts of the former values, for the user.
  shown jsonb,
  thing_id int,
  -- The thing before its change, and a hash of it after.
  before jsonb,
  after_hash text,
  primary key (import_id, row)
);
create index sheet_import_row_key on sheet_import_row (import_id, key, row);
create index sheet_import_row_outcome on sheet_import_row (import_id, outcome, row);
create table sheet_mapping (
  company_id int not null references company,
  kind text not null,
  fields jsonb not null,
  primary key (company_id, kind)
);
alter table sheet_import enable row level security;
alter table sheet_import force row level security;
alter table sheet_import_row enable row level security;
alter table sheet_import_row force row level security;
alter table sheet_mapping enable row level security;
alter table sheet_mapping force row level security;
create policy system on sheet_import to current_user using (true) with check (true);
create policy system on sheet_import_row to current_user using (true) with check (true);
create policy system on sheet_mapping to current_user using (true) with check (true);
create policy own on sheet_import to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
create policy own on sheet_import_row to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
create policy own on sheet_mapping to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on sheet_import, sheet_import_row, sheet_mapping to metrum_api;
`,
};
