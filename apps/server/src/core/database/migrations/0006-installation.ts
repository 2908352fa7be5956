/** Key-value store of the installation itself: which setup steps are done. */
export default {
  name: "0006-installation",
  up: /* sql */ `
create table installation (
  key text primary key,
  value jsonb not null,
  at timestamptz not null default now()
);
`,
};
