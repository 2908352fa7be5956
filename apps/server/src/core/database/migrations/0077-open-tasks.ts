/** Open tasks of a company, which the bell of every page shows. */
export default {
  name: "0077-open-tasks",
  up: /* sql */ `
create index device_task_open_of on device_task (company_id, id desc) where ended_at is null;
`,
};
