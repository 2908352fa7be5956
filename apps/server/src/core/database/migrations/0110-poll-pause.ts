/** Pauses between scheduled polls behind a gateway or a base station. */
export default {
  name: "0110-poll-pause",
  up: /* sql */ `
-- Least seconds between the beginnings of two scheduled polls; 0: none.
alter table gateway add column poll_pause int not null default 0 check (poll_pause between 0 and 3600);
alter table base_station add column poll_pause int not null default 0 check (poll_pause between 0 and 3600);

-- From when on the next scheduled poll behind a gateway or base station may begin, epoch seconds. Only the system.
create table poll_rest (
  carrier_id int primary key,
  free_at bigint not null
);
alter table poll_rest enable row level security;
alter table poll_rest force row level security;
create policy system on poll_rest to current_user using (true) with check (true);
`,
};
