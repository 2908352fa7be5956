/**
 * Lists of tasks: the polled group, the number of devices, and the outcome as soon as a task has ended; null
 * for open tasks and those of before, which are counted when they are shown. Indexes for each filter and
 * order of the list.
 */
export default {
  name: "0055-task-lists",
  up: /* sql */ `
alter table device_task add column poll_group_id int, add column device_count int,
  add column done_count int, add column failed_count int;
create index device_task_by_status on device_task (company_id, status_id, id desc);
create index device_task_of_group on device_task (poll_group_id, id desc) where poll_group_id is not null;
create index device_task_created on device_task (company_id, created_at);
create index device_task_titled on device_task using gin ((title || ' ' || title_en) gin_trgm_ops);
create index device_task_item_of_device on device_task_item (device_id, task_id);
create index device_task_item_waiting on device_task_item (task_id) where status_id in (1, 2);
`,
};
