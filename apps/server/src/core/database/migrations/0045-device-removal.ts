/**
 * A device that a user removes from the trash is hidden at once; a worker deletes it with its readings.
 * The mark is set by the calls that remove devices, and goes with the row.
 */
export default {
  name: "0045-device-removal",
  up: /* sql */ `
alter table device add column removed_at timestamptz check (removed_at is null or deleted_at is not null);
-- Grows with every edit: the slower of two editors gets a conflict.
alter table device add column version int not null default 1;
create index device_removed on device (id) where removed_at is not null;
`,
};
