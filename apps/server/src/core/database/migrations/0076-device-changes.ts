/**
 * Tasks that change devices: what is changed, and who requested it from where, for the audit log. Their items
 * are worked on in batches by `headend/tasks` and never by a line.
 */
export default {
  name: "0076-device-changes",
  up: /* sql */ `
alter table device_task drop constraint device_task_command_type,
  add constraint device_task_command_type check (command_type in ('control', 'poll', 'holes', 'change')),
  add column change jsonb, add column actor jsonb;
alter table device_task_item add column is_change boolean not null default false;
create index device_task_changing on device_task (id) where change is not null and ended_at is null;
`,
};
