/**
 * An account of the embedded broker is identified by its name: the simulated meters of a company have one in
 * addition to the company's own.
 */
export default {
  name: "0024-park-account",
  up: /* sql */ `
alter table mqtt_account drop constraint mqtt_account_pkey, drop constraint mqtt_account_username_key,
  add primary key (username);
create index on mqtt_account (company_id);
`,
};
