import { dlms, spodes, type DlmsDriver, type DlmsOptions, type SpodesOptions } from "@metrum/protocols/dlms";
import type { FieldName } from "@metrum/vocabulary";
import type { MeterModel } from "./model.ts";
import { pollLog, profileTab, switchedControls } from "./shapes.ts";

const fieldsOf = ({ registers, profiles = [] }: DlmsOptions): readonly FieldName[] => [
  ...new Set([
    ...registers.map(({ field }) => field),
    ...profiles.flatMap(({ columns }) => columns.map(({ field }) => field)),
  ]),
];

/** An electricity meter on DLMS/COSEM: tabs and fields follow from the objects that its driver reads. */
function cosemMeter(driver: DlmsDriver, isThreePhase: boolean, fields: readonly FieldName[]) {
  const archives = driver.archives.map(({ msgType }) => msgType).filter((msgType) => msgType >= 100);
  return {
    kind: "meter",
    resource: "electricity",
    deviceTypeId: isThreePhase ? 3 : 30,
    interfaces: ["RS_485", "GSM_GPRS"],
    driver,
    fields,
    tabs: {
      tariffs: { msgTypes: [1], chart_fields: ["tariff0"] },
      archives: { msgTypes: [100, ...archives], chart_fields: ["tariff0"] },
      instant_readings: { msgTypes: [2], chart_fields: ["power_active"] },
      ...profileTab(fields),
      ...pollLog,
    },
    controls: {
      ...switchedControls,
      time_correct2: {},
      get_shedule_tariff: {},
      set_shedule_tariff: {},
      get_special_day: {},
      set_special_day: {},
    },
  } as const satisfies Partial<MeterModel>;
}

/**
 * A SPODES meter, read over HDLC by the reader with its password: it stores half-hour power and archives of
 * days and months itself.
 */
export function spodesMeter({ phases, ...options }: Partial<SpodesOptions> & { readonly phases: 1 | 3 }) {
  const driver = spodes({
    transport: "hdlc",
    server: { logical: 1, bytes: 4, physical: "insideAddr" },
    utcOffsetMinutes: 180,
    isThreePhase: phases === 3,
    ...options,
  });
  return cosemMeter(driver, phases === 3, fieldsOf(driver.options));
}

/**
 * A meter with the objects of the open IDIS profile: it stores archives of days and months itself, half-hour
 * power is calculated.
 */
export function idisMeter({
  phases,
  ...options
}: Omit<DlmsOptions, "resource" | "registers" | "clock" | "transport"> & { readonly phases: 1 | 3 }) {
  const registers = [...counters, ...momentsOf(phases)];
  const columns = counters.map(({ obis, field }) => ({ obis, field }));
  const driver = dlms({
    transport: "hdlc",
    resource: "electricity",
    clock: { utcOffsetMinutes: 60 },
    registers,
    profiles: [
      { msgType: 101, obis: "1.0.99.2.0.255", columns, period: 86_400 },
      { msgType: 103, obis: "0.0.98.1.0.255", columns, period: "month" },
    ],
    ...options,
  });
  const meter = cosemMeter(driver, phases === 3, [...fieldsOf(driver.options), "power_a_plus"]);
  return { ...meter, profileFrom: "tariff0" } as const;
}

type Row = DlmsOptions["registers"][number];

const counters: readonly Row[] = [
  { msgType: 1, obis: "1.0.1.8.0.255", field: "tariff0" },
  { msgType: 1, obis: "1.0.1.8.1.255", field: "tariff1" },
  { msgType: 1, obis: "1.0.1.8.2.255", field: "tariff2" },
  { msgType: 1, obis: "1.0.2.8.0.255", field: "tariff_negative0" },
];

const momentsOf = (phases: 1 | 3): readonly Row[] => [
  { msgType: 2, obis: "1.0.1.7.0.255", field: "power_active" },
  ...([1, 2, 3] as const)
    .filter((phase) => phase <= phases)
    .flatMap((phase): Row[] => [
      { msgType: 2, obis: `1.0.${String(phase * 20 + 12)}.7.0.255`, field: `voltage${phase}` },
      { msgType: 2, obis: `1.0.${String(phase * 20 + 11)}.7.0.255`, field: `current${phase}` },
    ]),
];
