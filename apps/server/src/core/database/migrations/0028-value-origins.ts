/**
 * Numbers of field sets that do not run out, the creator of each set, and the origin of single values:
 * status, source and time of receipt of those that differ from their row. Changing a smallint to an int
 * rewrites the table, during which readings wait.
 */
export default {
  name: "0028-value-origins",
  up: /* sql */ `
alter table field_set alter column id type int;
-- The company whose reading created the set, for its quota; null: of the vocabulary, or older than this column.
alter table field_set add column made_by int;
create index field_set_made_by on field_set (made_by) where made_by is not null;

-- by_field: {"tariff0": {"status": 3, "source": 1, "received_at": 1789000000}}; null when every value has those of the row.
alter table message alter column field_set_id type int, add column by_field jsonb;

-- The newest value of each field that a device and type has ever had. by_field, for values that are older than ts or differ
-- otherwise: {"tariff0": {"ts": 1789000000, "status": 1, "source": 1, "received_at": 1789000004}}.
alter table device_latest alter column field_set_id type int, add column by_field jsonb;
`,
};
