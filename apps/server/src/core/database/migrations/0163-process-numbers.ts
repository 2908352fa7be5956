/**
 * Numbers of processes are never used twice: a row that names one belongs to one start of one process. Numbers up to
 * 1000 were used again by later processes.
 */
export default {
  name: "0163-process-numbers",
  up: /* sql */ `
create sequence process_number as int minvalue 1001;
`,
};
