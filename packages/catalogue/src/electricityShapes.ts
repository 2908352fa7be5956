import type { LineDriver } from "@metrum/protocols/core";
import { hanPush } from "@metrum/protocols/dlms";
import { iec62056, type IecOptions, type IecRow } from "@metrum/protocols/iec62056-21";
import { mercury230, type MercuryOptions } from "@metrum/protocols/mercury230";
import { p1, type P1Options } from "@metrum/protocols/p1";
import type { FieldName } from "@metrum/vocabulary";
import type { MeterModel, Sample } from "./model.ts";
import { polledControls, pollLog, profileTab, switchedControls } from "./shapes.ts";

const deviceTypeOf = (phases: 1 | 3) => (phases === 3 ? 3 : 30);

/** Tabs of an electricity meter with counters, states, half-hour power and archives of days and months. */
function tabsOf(fields: readonly FieldName[]) {
  const states: readonly FieldName[] = ["power_active", "voltage1"];
  const drawn = states.find((field) => fields.includes(field));
  return {
    tariffs: { msgTypes: [1], chart_fields: ["tariff0"] },
    archives: { msgTypes: [100, 101, 103], chart_fields: ["tariff0"] },
    ...(drawn === undefined ? {} : { instant_readings: { msgTypes: [2], chart_fields: [drawn] } }),
    ...profileTab(fields),
  } as const satisfies MeterModel["tabs"];
}

function polledMeter(of: { driver: LineDriver; phases: 1 | 3; fields: readonly FieldName[] }) {
  return {
    kind: "meter",
    resource: "electricity",
    deviceTypeId: deviceTypeOf(of.phases),
    driver: of.driver,
    fields: of.fields,
    tabs: { ...tabsOf(of.fields), ...pollLog },
    controls: polledControls,
  } as const satisfies Partial<MeterModel>;
}

/**
 * A meter that speaks IEC 62056-21: properties derived from its data lines. Half-hour power is calculated
 * from the counter.
 */
export function iecMeter({ phases, ...options }: IecOptions & { readonly phases: 1 | 3 }) {
  const fields: readonly FieldName[] = [...new Set(options.rows.map(({ field }) => field)), "power_a_plus"];
  return { ...polledMeter({ driver: iec62056(options), phases, fields }), profileFrom: "tariff0" } as const;
}

const tariffNumbers = [0, 1, 2, 3, 4] as const;
const phaseNumbers = [1, 2, 3] as const;

const mercuryCounters = {
  aMinus: (tariff: 0 | 1 | 2 | 3 | 4): FieldName => `tariff_negative${tariff}`,
  rPlus: (tariff: 0 | 1 | 2 | 3 | 4): FieldName => `tariff_reactive${tariff}`,
  rMinus: (tariff: 0 | 1 | 2 | 3 | 4): FieldName => `tariff_reactive_negative${tariff}`,
} as const;

const mercuryProfile = {
  aMinus: "power_a_minus",
  rPlus: "power_r_plus",
  rMinus: "power_r_minus",
} as const satisfies Record<keyof typeof mercuryCounters, FieldName>;

/** Its limit has 22 bits of 0.01 W. */
const mercuryControls = {
  ...switchedControls,
  limit: { ...switchedControls.limit, limit: { max: 41.943 } },
  reset: {},
} as const satisfies MeterModel["controls"];

/** A three-phase meter of the Mercury 230 family: properties derived from its memory. */
export function mercuryMeter(options: MercuryOptions) {
  const keeps = options.keeps ?? [];
  const perPhase = phaseNumbers.flatMap((phase): FieldName[] => [
    `voltage${phase}`,
    `current${phase}`,
    `cos${phase}`,
    `power_active${phase}`,
    `power_reactive${phase}`,
    `power_apparent${phase}`,
  ]);
  const fields: readonly FieldName[] = [
    ...tariffNumbers.map((tariff): FieldName => `tariff${tariff}`),
    ...keeps.flatMap((key) => tariffNumbers.map(mercuryCounters[key])),
    ...perPhase,
    "cos0",
    "Frequency",
    "coruu1",
    "coruu2",
    "power_active",
    "power_reactive",
    "power_apparent",
    "power_a_plus",
    ...(options.profile ? keeps.map((key) => mercuryProfile[key]) : []),
  ];
  const meter = polledMeter({ driver: mercury230({ ...options, phases: 3 }), phases: 3, fields });
  return { ...meter, controls: mercuryControls, counterCapacity: 4_294_967 } as const;
}

/**
 * Rows of the counters of one direction: the sum and its tariffs, with past months if the meter stores them.
 */
export const counterRows = (
  prefix: "tariff" | "tariff_negative" | "tariff_reactive" | "tariff_reactive_negative",
  of: { group: 1 | 2 | 3 | 4; tariffs: 0 | 2 | 4; isBilled?: boolean },
): IecRow[] =>
  tariffNumbers
    .filter((tariff) => tariff <= of.tariffs)
    .map((tariff) => ({
      obis: `${of.group}.8.${tariff}`,
      field: `${prefix}${tariff}`,
      ...(of.isBilled === true ? { isBilled: true } : {}),
    }));

/** Rows of voltages and currents by phase, as OBIS has them. */
export const phaseRows = (phases: 1 | 3): IecRow[] =>
  phaseNumbers
    .filter((phase) => phase <= phases)
    .flatMap((phase): IecRow[] => [
      { obis: `${12 + phase * 20}.7.0`, field: `voltage${phase}` },
      { obis: `${11 + phase * 20}.7.0`, field: `current${phase}` },
    ]);

/**
 * A meter whose HAN port pushes its lists, through a gateway that forwards them: it cannot be polled or
 * controlled. Keys are used if the network operator encrypts. Layout: the manufacturer's description of the
 * port; lists of real meters are read by the tests of the protocol.
 */
export function hanMeter() {
  const fields: readonly FieldName[] = [
    "tariff0",
    "tariff_negative0",
    "tariff_reactive0",
    "tariff_reactive_negative0",
    "power_active",
    "power_reactive",
    ...phaseNumbers.flatMap((phase): FieldName[] => [`voltage${phase}`, `current${phase}`]),
    "power_a_plus",
  ];
  return {
    kind: "meter",
    resource: "electricity",
    deviceTypeId: 3,
    interfaces: ["Wi_Fi", "NB_IoT"],
    driver: hanPush,
    fields,
    tabs: tabsOf(fields),
    controls: {},
    profileFrom: "tariff0",
    counterCapacity: 1_000_000,
  } as const satisfies Partial<MeterModel>;
}

/** Values of the lists in the samples. */
const hanValues = {
  tariff0: 12345.678,
  tariff_negative0: 12.5,
  tariff_reactive0: 3210.4,
  tariff_reactive_negative0: 87.25,
  power_active: 3.544,
  power_reactive: 1.116,
  current1: 5.25,
  current2: 4.81,
  current3: 6.07,
  voltage1: 230.1,
  voltage2: 231.4,
  voltage3: 229.8,
} as const satisfies Partial<Record<FieldName, number>>;

/** A pushed list as a sample; `gives` overrides `hanValues` for a list with coarser steps. */
export function hanSample({
  payload,
  source,
  gives = {},
}: {
  readonly payload: string;
  readonly source: string;
  readonly gives?: Readonly<Partial<Record<FieldName, number>>>;
}): Sample {
  const scale = { impulseWeight: 1, startingValue: 0 };
  return { of: "uplink", fport: 1, payload, scale, gives: { ...hanValues, ...gives }, source };
}

/** A reader of a P1 port that pushes telegrams: it cannot be polled or controlled. */
export function p1Meter(options: P1Options & { readonly fields: readonly FieldName[] }) {
  const fields: readonly FieldName[] = [...options.fields, "power_a_plus"];
  return {
    kind: "meter",
    resource: "electricity",
    deviceTypeId: 3,
    driver: p1(options),
    fields,
    tabs: tabsOf(fields),
    controls: {},
    profileFrom: "tariff0",
  } as const satisfies Partial<MeterModel>;
}
