import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * Scope of a session, or of a file imported for a company: the company, and whether a user is limited to tied
 * devices and branches of objects.
 */
export type DeviceScope =
  | { readonly companyId: number; readonly onlyTiedDevices: false }
  | { readonly companyId: number; readonly onlyTiedDevices: boolean; readonly userId: number };

/** Selects the devices of a company for a query. */
export interface DeviceFilter {
  /** Alias of the table `device` in the query. */
  readonly as?: "device" | "d";
  readonly trash?: "excluded" | "included" | "only";
  readonly archive?: "excluded" | "included" | "only";
}

const names = { device: sql`device`, d: sql`d` } as const;

/**
 * Condition: a device visible to the session. Without a filter the trash is excluded and the archive
 * included.
 */
export function visibleDevices(scope: DeviceScope, filter: DeviceFilter = {}): RawBuilder<SqlBool> {
  const ofCompany = companyDevices(scope.companyId, filter);
  if (!scope.onlyTiedDevices) return ofCompany;
  return sql`${ofCompany} and ${tiedDevices(scope, sql`${names[filter.as ?? "device"]}.id`)}`;
}

/** Condition: a device of the company that is not removed for good, regardless of ties. */
export function companyDevices(
  companyId: number,
  { as = "device", trash = "excluded", archive = "included" }: DeviceFilter = {},
): RawBuilder<SqlBool> {
  const device = names[as];
  const inTrash = {
    excluded: sql` and ${device}.deleted_at is null`,
    included: sql` and ${device}.removed_at is null`,
    only: sql` and ${device}.deleted_at is not null and ${device}.removed_at is null`,
  }[trash];
  const inArchive = {
    excluded: sql` and not ${device}.is_archived`,
    included: sql``,
    only: sql` and ${device}.is_archived`,
  }[archive];
  return sql`${device}.company_id = ${companyId}::int${inTrash}${inArchive}`;
}

/**
 * Subquery: the nodes of the objects tree that a user sees, those tied to them and all below. Rows: of these
 * branches, by object_node_children.
 */
export const tiedObjects = (userId: number): RawBuilder<unknown> =>
  sql`select id from object_branch(${branchesOf(userId)}) as id`;

/** Column of `object_item` for what stands at a node. */
const standing = {
  device: sql`device_id`,
  gateway: sql`gateway_id`,
  base_station: sql`base_station_id`,
} as const;

/**
 * Subquery: ids of what stands at these nodes or below. Rows: of their branches, by object_node_children and
 * object_item_of_node.
 */
export const inBranches = (
  kind: keyof typeof standing,
  objects: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${standing[kind]} from object_item
  where ${standing[kind]} is not null and object_id in (select id from object_branch(${objects}) as id)`;

const branchesOf = (userId: number): RawBuilder<unknown> =>
  sql`array(select object_id from object_user where user_id = ${userId}::int)`;

/** Tables of things that devices are assigned to, with the column of `device` that names them. */
const carriers = {
  gateway: { id: sql`gateway.id`, company: sql`gateway.company_id`, of: sql`gateway_id` },
  base_station: { id: sql`base_station.id`, company: sql`base_station.company_id`, of: sql`base_station_id` },
} as const;

/**
 * Condition: a gateway or base station visible to the session, trash included. A user tied to devices sees
 * those of their devices, and those that stand in their branches of the objects tree. Index: primary keys of
 * device_user and object_user.
 */
export function visibleCarriers(scope: DeviceScope, table: keyof typeof carriers): RawBuilder<SqlBool> {
  const { id, company, of } = carriers[table];
  const ofCompany = sql<SqlBool>`${company} = ${scope.companyId}::int`;
  if (!scope.onlyTiedDevices) return ofCompany;
  return sql`${ofCompany} and (${id} in (select device.${of} from device
    where ${of} is not null and ${tiedDevices(scope, sql`device.id`)})
    or ${id} in (${inBranches(table, branchesOf(scope.userId))}))`;
}

/**
 * Condition on a device id: for a user tied to devices or objects, it is one of them, or stands in one of
 * their branches. Index: primary keys of device_user and object_user.
 */
export function tiedDevices(scope: DeviceScope, id: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return scope.onlyTiedDevices
    ? sql`${id} in (select device_id from device_user where user_id = ${scope.userId}::int
        union all ${inBranches("device", branchesOf(scope.userId))})`
    : sql`true`;
}

/**
 * Condition: an accounting point visible to the session. A user tied to devices or objects sees those of their
 * branches and those that one of their devices measures now. Index: accounting_point_of_object,
 * point_device_of_device.
 */
export function visiblePoints(scope: DeviceScope, as: "p" | "accounting_point" = "p"): RawBuilder<SqlBool> {
  const point = sql.table(as);
  const ofCompany = sql<SqlBool>`${point}.company_id = ${scope.companyId}::int`;
  if (!scope.onlyTiedDevices) return ofCompany;
  return sql`${ofCompany} and (${point}.object_id in (${tiedObjects(scope.userId)})
    or ${point}.id in (select point_id from point_device where to_ts is null and ${tiedDevices(scope, sql`device_id`)}))`;
}

/** Columns of `point_term` that name a consumer, supplier or transformer. */
const parties = {
  consumer: { id: sql`consumer.id`, company: sql`consumer.company_id`, of: sql`t.consumer_id` },
  supplier: { id: sql`supplier.id`, company: sql`supplier.company_id`, of: sql`t.supplier_id` },
  transformer: { id: sql`transformer.id`, company: sql`transformer.company_id`, of: sql`t.transformer_id` },
} as const;

/**
 * Condition: a consumer, supplier or transformer visible to the session. A user tied to devices or objects sees
 * those in the history of the points they see. Index: point_term_of_consumer and its two neighbours.
 */
export function visibleParties(scope: DeviceScope, table: keyof typeof parties): RawBuilder<SqlBool> {
  const { id, company, of } = parties[table];
  const ofCompany = sql<SqlBool>`${company} = ${scope.companyId}::int`;
  if (!scope.onlyTiedDevices) return ofCompany;
  return sql`${ofCompany} and ${id} in (select ${of} from point_term t join accounting_point p on p.id = t.point_id
    where ${of} is not null and ${visiblePoints(scope)})`;
}

/**
 * Condition: a balance group visible to the session. A tied user sees those of whose points every one is visible: a
 * balance tells about all of them. Index: primary key of balance_group_point.
 */
export function visibleBalanceGroups(
  scope: DeviceScope,
  as: "g" | "balance_group" = "g",
): RawBuilder<SqlBool> {
  const group = sql.table(as);
  const ofCompany = sql<SqlBool>`${group}.company_id = ${scope.companyId}::int`;
  if (!scope.onlyTiedDevices) return ofCompany;
  return sql`${ofCompany} and exists (select from balance_group_point m where m.group_id = ${group}.id)
    and not exists (select from balance_group_point m join accounting_point p on p.id = m.point_id
      where m.group_id = ${group}.id and (${visiblePoints(scope)}) is not true)`;
}
