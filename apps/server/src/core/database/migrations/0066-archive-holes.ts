/**
 * Slots that a meter did not deliver and that are requested again later: for each archive at most one span
 * for each number of unsuccessful requests. Slots passed over before this release are requested once more,
 * spread over a week.
 */
export default {
  name: "0066-archive-holes",
  up: /* sql */ `
create table archive_hole (
  device_id int not null references device on delete cascade,
  msg_type smallint not null,
  -- Requests in vain so far, besides the first one.
  tries smallint not null,
  -- Epoch seconds UTC, the end exclusive; the slots in between that are stored are not requested.
  from_at bigint not null,
  to_at bigint not null,
  retry_at bigint not null,
  primary key (device_id, msg_type, tries)
);
alter table archive_hole enable row level security;
alter table archive_hole force row level security;
create policy system on archive_hole to current_user using (true) with check (true);
insert into archive_hole (device_id, msg_type, tries, from_at, to_at, retry_at)
select s.device_id, s.msg_type, 0, coalesce(s.filled_from, extract(epoch from d.created_at)::bigint), s.asked_to,
  extract(epoch from now())::bigint + s.device_id % 168 * 3600
from archive_state s join device d on d.id = s.device_id
where s.asked_to > coalesce(s.filled_from, extract(epoch from d.created_at)::bigint);
`,
};
