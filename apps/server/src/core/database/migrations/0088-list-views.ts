/** Views of lists under a name: of one user, or, without a user, of the company. */
export default {
  name: "0088-list-views",
  up: /* sql */ `
create table list_view (
  id int generated always as identity primary key,
  company_id int not null references company,
  user_id int references users on delete cascade,
  list text not null,
  name text not null,
  state jsonb not null,
  saved_at timestamptz not null default now()
);
create unique index list_view_named on list_view (company_id, coalesce(user_id, 0), list, lower(name));
create index list_view_of_user on list_view (user_id) where user_id is not null;
alter table list_view enable row level security;
alter table list_view force row level security;
create policy system on list_view to current_user using (true) with check (true);
create policy own on list_view to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on list_view to metrum_api;
`,
};
