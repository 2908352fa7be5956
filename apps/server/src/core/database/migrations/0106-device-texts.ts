/**
 * Texts of devices in the order of their names, for searches of what many devices have: they read every text of a
 * company, and an index-only scan costs what its rows are wide. device_by_name keeps the texts for searches with a
 * further filter.
 */
export default {
  name: "0106-device-texts",
  up: /* sql */ `
create index device_sought on device (company_id, name, id) include (is_archived, search) where deleted_at is null;
`,
};
