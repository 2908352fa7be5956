import type { LineDriver } from "@metrum/protocols/core";
import { mbus, type MbusOptions, type MbusRow } from "@metrum/protocols/mbus";
import { modbus, type ModbusOptions } from "@metrum/protocols/modbus";
import { wmbus, type WmbusOptions } from "@metrum/protocols/wmbus";
import type { FieldName, TabKey } from "@metrum/vocabulary";
import type { MeterModel, Tab } from "./model.ts";

/** Commands of every device that is polled over a line. */
export const polledControls = {
  now_value: {},
  tariff: {},
  read_info: {},
} as const satisfies MeterModel["controls"];

/** Commands of a meter that can be switched, limited and set: load, power limit, clock. */
export const switchedControls = {
  ...polledControls,
  relay_state: {},
  power: {},
  limit_state: {},
  limit: { limit_mode: { choices: [] } },
  get_datetime: {},
  time_set: {},
  time_correct: {},
} as const satisfies MeterModel["controls"];

/** Commands of an M-Bus meter; its clock is set if its telegram has one. */
const mbusControls = ({ commands }: LineDriver): MeterModel["controls"] =>
  commands.time_set ? { ...polledControls, get_datetime: {}, time_set: {} } : polledControls;

/** Tabs that every meter has: readings and archives, drawn by its main counters. */
export function counterTabs(chart_fields: readonly FieldName[]) {
  return {
    tariffs: { msgTypes: [1], chart_fields },
    archives: { msgTypes: [100, 101], chart_fields },
  } as const satisfies Partial<Record<TabKey, Tab>>;
}

/** The exchange log; only polled devices have one. It shows exchanges, not messages. */
export const pollLog = { journal: { msgTypes: [] } } as const satisfies Partial<Record<TabKey, Tab>>;

/** Half-hour power: active and reactive in one chart if both exist. */
export function profileTab(fields: readonly FieldName[]) {
  const drawn = (["power_a_plus", "power_r_plus"] as const).filter((field) => fields.includes(field));
  return { power_profiles: { msgTypes: [5], chart_fields: drawn } } as const satisfies MeterModel["tabs"];
}

/**
 * An electricity meter with a register map: properties derived from the map and the number of phases. Its
 * half-hour power is calculated from the counter, because such a map has no profile. `counter` is omitted if
 * the map has a total; a meter with tariffs only names its first.
 */
export function electricityMeter({
  phases,
  counter = "tariff0",
  ...map
}: ModbusOptions & { readonly phases: 1 | 3; readonly counter?: FieldName }) {
  const fields: readonly FieldName[] = [...new Set(map.rows.map((row) => row.field)), "power_a_plus"];
  return {
    kind: "meter",
    resource: "electricity",
    deviceTypeId: phases === 3 ? 3 : 30,
    driver: modbus(map),
    fields,
    tabs: {
      ...counterTabs([counter]),
      instant_readings: { msgTypes: [2], chart_fields: ["power_active"] },
      ...profileTab(fields),
      ...pollLog,
    },
    controls: polledControls,
    profileFrom: counter,
  } as const satisfies Partial<MeterModel>;
}

const fieldsOf = (rows: readonly MbusRow[]): readonly FieldName[] => [
  ...new Set(rows.flatMap((row) => row.field ?? [])),
];

/**
 * A heat meter on M-Bus: properties derived from its records. Energy is stored in Gcal, whatever the unit of
 * the meter.
 */
export function heatMeter(meter: Omit<MbusOptions, "resource">) {
  const driver = mbus({ ...meter, resource: "heat" });
  return {
    kind: "meter",
    resource: "heat",
    deviceTypeId: 4,
    interfaces: ["M_BUS"],
    driver,
    fields: fieldsOf(meter.records),
    tabs: {
      ...counterTabs(["tariff1"]),
      instant_readings: { msgTypes: [2], chart_fields: ["T_in", "T_out"] },
      ...pollLog,
    },
    controls: mbusControls(driver),
  } as const satisfies Partial<MeterModel>;
}

/** A water or gas meter on M-Bus: properties derived from its records. */
export function volumeMeter(meter: Omit<MbusOptions, "resource"> & { readonly resource: "water" | "gas" }) {
  const driver = mbus(meter);
  const fields = fieldsOf(meter.records);
  const flow: Partial<Record<TabKey, Tab>> = fields.includes("Q_in")
    ? { instant_readings: { msgTypes: [2], chart_fields: ["Q_in"] } }
    : {};
  return {
    kind: "meter",
    resource: meter.resource,
    deviceTypeId: meter.resource === "water" ? 1 : 5,
    interfaces: ["M_BUS"],
    driver,
    fields,
    tabs: { ...counterTabs(["in1"]), ...flow, ...pollLog },
    controls: mbusControls(driver),
  } as const satisfies Partial<MeterModel>;
}

/** Properties of radio meters of a resource, and the fields of their charts. */
const radioKinds = {
  water: { deviceTypeId: 1, counters: ["in1"], states: ["Q_in"] },
  gas: { deviceTypeId: 5, counters: ["in1"], states: ["Q_in"] },
  heat: { deviceTypeId: 4, counters: ["tariff1"], states: ["T_in", "T_out"] },
  sensor: { deviceTypeId: 20, counters: [], states: ["temperature", "Humidity"] },
} as const satisfies Record<
  string,
  { deviceTypeId: number; counters: readonly FieldName[]; states: readonly FieldName[] }
>;

/** A heat cost allocator with wireless M-Bus: units of this period and of the last. */
export function heatAllocator(meter: Omit<WmbusOptions, "resource">) {
  return {
    kind: "meter",
    resource: "heat",
    deviceTypeId: 31,
    interfaces: ["WM_BUS"],
    driver: wmbus({ ...meter, resource: "heat" }),
    fields: fieldsOf(meter.records),
    tabs: { instant_readings: { msgTypes: [2], chart_fields: ["hca"] } },
    controls: {},
  } as const satisfies Partial<MeterModel>;
}

/** A meter with wireless M-Bus: properties derived from its records. It cannot be polled or controlled. */
export function radioMeter(meter: WmbusOptions & { readonly resource: keyof typeof radioKinds }) {
  const { deviceTypeId, counters, states } = radioKinds[meter.resource];
  const fields = fieldsOf(meter.records);
  const charted: readonly FieldName[] = states.filter((field) => fields.includes(field));
  return {
    kind: "meter",
    resource: meter.resource,
    deviceTypeId,
    interfaces: ["WM_BUS"],
    driver: wmbus(meter),
    fields,
    tabs: {
      ...(counters.length > 0 ? counterTabs(counters) : {}),
      instant_readings: { msgTypes: [2], ...(charted.length > 0 ? { chart_fields: charted } : {}) },
    },
    controls: {},
  } as const satisfies Partial<MeterModel>;
}
