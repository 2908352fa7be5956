/**
 * Record layouts learnt from full telegrams of a device, needed to read its compact frames after a restart.
 */
export default {
  name: "0043-record-formats",
  up: /* sql */ `
create table record_format (
  -- A layout belongs to its sender: no device, so no company, can affect how another one is read.
  device_id int not null references device on delete cascade,
  -- Checksum of the heads (EN 13757-3, annex G).
  signature int not null check (signature between 0 and 65535),
  -- DIF and VIF of every record, consecutive; not longer than a telegram.
  heads bytea not null check (octet_length(heads) between 2 and 255),
  learned_at bigint not null,
  primary key (device_id, signature)
);

alter table record_format enable row level security;
alter table record_format force row level security;
create policy system on record_format to current_user using (true) with check (true);
create policy own on record_format to metrum_api
  using (exists (select from device d where d.id = device_id and d.company_id = metrum_company()));
grant select on record_format to metrum_api;
`,
};
