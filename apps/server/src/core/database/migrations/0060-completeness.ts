/** The completeness board reads how far the archives of the company's own devices were requested. */
export default {
  name: "0060-completeness",
  up: /* sql */ `
create policy own on archive_state for select to metrum_api
  using (exists (select from device d where d.id = archive_state.device_id and d.company_id = metrum_company()));
grant select on archive_state to metrum_api;
`,
};
