/** What this installation remembers of itself, by key: which parts of its making are done. */
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
