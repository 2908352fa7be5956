/** User who issued the password of a company's account at the embedded broker, and the time. */
export default {
  name: "0023-mqtt-accounts",
  up: /* sql */ `
-- Null: issued by the server itself, or before this was recorded.
alter table mqtt_account add column issued_at bigint;
alter table mqtt_account add column issued_by int references users on delete set null;
create index on mqtt_account (issued_by);
grant select, insert, update on mqtt_account to metrum_api;
`,
};
