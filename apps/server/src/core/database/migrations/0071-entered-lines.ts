/**
 * Lines that users of a company enter, and their tests. `line_test` has a row for each test of the last
 * minutes, by which their number is limited; the next test deletes older ones.
 */
export default {
  name: "0071-entered-lines",
  up: /* sql */ `
-- Entered by a user of the company: connected to only on the public network. Else set by the operator of the server.
alter table gateway add column is_line_entered boolean not null default false;
create index gateway_lined on gateway (company_id, name, id)
  where deleted_at is null and (host is not null or serial is not null);
create index gateway_address on gateway (lower(host), port) where host is not null and deleted_at is null;
create index gateway_serial on gateway ((serial ->> 'path')) where serial is not null and deleted_at is null;

create unlogged table line_test (
  id bigint generated always as identity primary key,
  gateway_id int not null references gateway on delete cascade,
  line text not null,
  asked jsonb not null,
  asked_at bigint not null,
  answer jsonb,
  is_over boolean not null default false
);
create index on line_test (gateway_id);
-- One test of a line at a time.
create unique index line_test_running on line_test (line) where not is_over;
`,
};
