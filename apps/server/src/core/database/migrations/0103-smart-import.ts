/** Imports of spreadsheets that are stored as soon as they are rehearsed. */
export default {
  name: "0103-smart-import",
  up: /* sql */ `
alter table sheet_import add column runs_itself boolean not null default false;
`,
};
