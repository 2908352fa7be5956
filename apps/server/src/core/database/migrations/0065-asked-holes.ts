/**
 * Tasks that request missing rows from the archives of meters: what was selected, and of each device how many rows
 * were missing, how many no longer are, and how far each archive has been requested.
 */
export default {
  name: "0065-asked-holes",
  up: /* sql */ `
alter table device_task drop constraint if exists device_task_command_type_check,
  drop constraint if exists device_task_command_type_check1,
  add constraint device_task_command_type check (command_type in ('control', 'poll', 'holes')),
  add column holes jsonb;
alter table device_task_item add column holes_asked int, add column holes_filled int, add column holes_to jsonb;
`,
};
