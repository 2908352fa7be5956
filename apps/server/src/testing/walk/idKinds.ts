import type { Call } from "@metrum/contract/core";
import { examples } from "./examples.ts";
import type { Records } from "../records.ts";
import { nameOf, type Field } from "./schemaFields.ts";

/** Names that mean the same in every call. */
const kindOfName: Readonly<Record<string, keyof Records | "everybody's">> = {
  device_id: "device",
  device_ids: "device",
  concat_device: "device",
  // A device has one schedule, with its id.
  schedule_id: "device",
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
  object_id: "object",
  object_ids: "object",
  accounting_point_id: "accountingPoint",
  accounting_point_ids: "accountingPoint",
  point_id: "accountingPoint",
  point_ids: "accountingPoint",
  exception_id: "exception",
  exception_ids: "exception",
  consumer_id: "consumer",
  supplier_id: "supplier",
  transformer_id: "transformer",
  balance_group_id: "balanceGroup",
  balance_group_ids: "balanceGroup",
  input_point_ids: "accountingPoint",
  output_point_ids: "accountingPoint",
  loss_point_ids: "accountingPoint",
  _id: "object",
  parent_ids: "object",
  device_task_id: "task",
  device_task_ids: "task",
  poll_group_id: "pollGroup",
  device_interface_id: "everybody's",
  model_class_id: "everybody's",
  // Of the catalogue, which is common to all companies.
  model_id: "everybody's",
  device_group_id: "everybody's",
  device_type_id: "everybody's",
  resource_type_id: "everybody's",
  interface_id: "everybody's",
  company_type_id: "everybody's",
  service_id: "everybody's",
  type_id: "everybody's",
  status_id: "everybody's",
  subject_type_id: "everybody's",
};

/** Fields that only narrow one's own list company: a foreign id matches as little as an unknown one. */
const filters: Readonly<Record<string, keyof Records | "everybody's">> = {
  "company.log body.user_id": "user",
  "company.log body.person_id": "user",
  // Names of readings, which contain the device id: walked by their own tests.
  "quarantine.release body.ids.[]": "everybody's",
  "quarantine.discard body.ids.[]": "everybody's",
  "gateway.list body.ids.[]": "gateway",
  "baseStation.list body.ids.[]": "baseStation",
  "device.list body.ids.[]": "device",
  "task.list body.ids.[]": "task",
  "device.list body.gateway_ids.[]": "gateway",
  "device.list body.object_ids.[]": "object",
  "point.companyList body.object_ids.[]": "object",
  ...Object.fromEntries(
    ["point.list", "point.companyList"].flatMap((id) => [
      [`${id} body.ids.[]`, "accountingPoint" as const],
      [`${id} body.measured_by.[]`, "device" as const],
      [`${id} body.consumer_id`, "consumer" as const],
      [`${id} body.supplier_id`, "supplier" as const],
    ]),
  ),
  // Only the alias has it in its path; the body is walked.
  ...Object.fromEntries(
    ["tieObject", "untieObject", "logs"].map((name) => [`point.${name} params.id`, "everybody's" as const]),
  ),
  // Numbered within the point that the call names.
  "point.addFile body.tie_number": "everybody's",
  // Levels of voltage are common to all companies.
  ...Object.fromEntries(
    ["point.create", "point.update", "point.setTerm"].map((id) => [
      `${id} body.voltage_level_id`,
      "everybody's" as const,
    ]),
  ),
  "gateway.list body.object_ids.[]": "object",
  "baseStation.list body.object_ids.[]": "object",
  ...Object.fromEntries(
    ["gateway", "baseStation"].map((kind) => [
      `${kind}.changeMany body.filter.object_ids.[]`,
      "object" as const,
    ]),
  ),
  "task.change body.filter.gateway_ids.[]": "gateway",
  "task.change body.filter.object_ids.[]": "object",
  // The filter of the device list, walked there; one that matches no device refuses these requests.
  "task.create body.filter.object_ids.[]": "everybody's",
  "control.plan body.filter.object_ids.[]": "everybody's",
  ...Object.fromEntries(
    [
      "task.planHoles",
      "task.askHoles",
      ...["card", "indications", "power", "archive", "totals", "time"].map((name) => `collection.${name}`),
    ].map((id) => [`${id} body.filter.gateway_ids.[]`, "gateway" as const]),
  ),
  // The number that a gateway or base station calls itself: text.
  ...Object.fromEntries(
    ["gateway.create", "gateway.edit", "baseStation.create", "baseStation.edit"].map((id) => [
      `${id} body.device_id`,
      "everybody's" as const,
    ]),
  ),
  // Numbered by the scheduler of the device itself.
  "schedule.save body.schedule.rules.tasks.[].task_id": "everybody's",
  // Rows of the log of the one device that the call names.
  "task.logs body.id": "everybody's",
  ...Object.fromEntries(
    ["devices", "groups", "types", "gateways", "baseStations", "brands", "interfaces"].map((list) => [
      `model.${list} body.ids.[]`,
      "everybody's" as const,
    ]),
  ),
};

/**
 * Kind of record named by a field, `filter:` with a kind, or a shared one. Undefined for an unclassified
 * field, which fails the test. A plain `id` is of the kind given by the example of the call.
 */
export function idKindOf(
  call: Call,
  field: Field,
): keyof Records | `filter:${keyof Records}` | "everybody's" | undefined {
  const filter = filters[`${call.id} ${field.path.join(".")}`];
  if (filter !== undefined) return filter === "everybody's" ? filter : `filter:${filter}`;
  const name = nameOf(field);
  if (name === "parent_id" && /^(?:object|point)\./.test(call.id)) return "object";
  if (name === "_id" && call.id.startsWith("consumer.")) return "consumer";
  if (name === "_id" && call.id.startsWith("supplier.")) return "supplier";
  if (name === "id" || name === "ids")
    return isPlatformCall(call) ? "everybody's" : examples[call.id]?.foreign?.kind;
  return kindOfName[name];
}

/** Staff of the provider may name every company; other users do not pass the gate. */
export function isPlatformCall({ right }: Call): boolean {
  return right === "platform";
}
