import type { Call } from "@metrum/contract";
import { examples } from "./examples.ts";
import type { Records } from "./records.ts";
import { nameOf, type Field } from "./schemaFields.ts";

/** Names that mean the same in every call. */
const kindOfName: Readonly<Record<string, keyof Records | "everybody's">> = {
  device_id: "device",
  device_ids: "device",
  gateway_id: "gateway",
  gateway_ids: "gateway",
  base_station_id: "baseStation",
  base_station_ids: "baseStation",
  user_id: "user",
  user_ids: "user",
  access_group_id: "accessGroup",
  access_group_ids: "accessGroup",
  company_id: "company",
  company_ids: "company",
  parent_id: "company",
  model_class_id: "everybody's",
  // Of the catalogue, which is the same for everybody.
  model_id: "everybody's",
  device_group_id: "everybody's",
  device_type_id: "everybody's",
  interface_id: "everybody's",
  company_type_id: "everybody's",
  service_id: "everybody's",
  type_id: "everybody's",
};

/** Fields that only narrow a list of the own company: what is foreign there finds as much as what is unknown. */
const filters: Readonly<Record<string, keyof Records | "everybody's">> = {
  "company.log body.user_id": "user",
  "company.log body.person_id": "user",
  // Names of readings, in which that of the device is a part: walked by their own tests.
  "quarantine.release body.ids.[]": "everybody's",
  "quarantine.discard body.ids.[]": "everybody's",
  "device.list body.ids.[]": "device",
  "device.list body.gateway_ids.[]": "gateway",
  // Rows of the log of the one device that the call names.
  "task.logs body.id": "everybody's",
  "task.logs body.device_task_id": "everybody's",
  ...Object.fromEntries(
    ["devices", "groups", "types", "gateways", "baseStations", "brands", "interfaces"].map((list) => [
      `model.${list} body.ids.[]`,
      "everybody's" as const,
    ]),
  ),
};

/**
 * What a field names: the kind of a record, `filter:` with one, or what belongs to everybody. Undefined where nobody has
 * said; the walk fails then. A plain `id` is of the kind that the example of the call names.
 */
export function idKindOf(
  call: Call,
  field: Field,
): keyof Records | `filter:${keyof Records}` | "everybody's" | undefined {
  const filter = filters[`${call.id} ${field.path.join(".")}`];
  if (filter !== undefined) return filter === "everybody's" ? filter : `filter:${filter}`;
  const name = nameOf(field);
  if (name === "id" || name === "ids")
    return isPlatformCall(call) ? "everybody's" : examples[call.id]?.foreign?.kind;
  return kindOfName[name];
}

/** Staff of the provider may name every company; nobody else passes the gate. */
export function isPlatformCall({ right }: Call): boolean {
  return right === "platform";
}
