/** Lines on which DLMS messages travel in the wrapper of TCP (IEC 62056-47) instead of HDLC. */
export default {
  name: "0170-dlms-wrapper",
  up: /* sql */ `
alter table gateway add column dlms_wrapper boolean not null default false;
`,
};
