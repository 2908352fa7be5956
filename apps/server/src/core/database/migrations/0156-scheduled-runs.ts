/**
 * Work of the installation that is done by a schedule. A row of `schedule_plan` for each work, which the process
 * that plans it locks; a row of `schedule_run` for each planned moment, deleted after 60 days. Only the system
 * reads them.
 */
export default {
  name: "0156-scheduled-runs",
  up: /* sql */ `
create table schedule_plan (
  name text primary key,
  planned_to bigint not null
);

create table schedule_run (
  name text not null references schedule_plan on delete cascade,
  planned_at bigint not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'missed')),
  is_late boolean not null,
  tries int not null default 0,
  due_at bigint not null,
  leased_until bigint,
  started_at bigint,
  ended_at bigint,
  error text,
  primary key (name, planned_at)
);
create index schedule_run_open on schedule_run (name) where state in ('waiting', 'running');
`,
};
