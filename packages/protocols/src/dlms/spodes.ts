import type { FieldName, MessageTypeId } from "@metrum/vocabulary";
import { dlms, type DlmsDriver } from "./driver.ts";
import type { JournalTable } from "./objects/events.ts";
import type { ProfileTable } from "./objects/profile.ts";
import type { RegisterRow } from "./objects/registers.ts";
import type { Authentication, DlmsOptions, ServerRule } from "./options.ts";

/** Clients of SPODES: public (no proof), reader (password), configurator (GMAC). */
export const spodesClients = { public: 16, reader: 32, configurator: 48 } as const;

/** Factory default password of the reader on many meters (a public template of one manufacturer has it). */
export const spodesReaderPassword = "111111";

/**
 * Journals, in the order of their last number: voltage, current, on/off, parameters, external influence,
 * communication, access, self test, reactive power.
 */
export const spodesJournals: readonly JournalTable[] = (
  [
    "voltage",
    "current",
    "power",
    "settings",
    "external",
    "communication",
    "access",
    "self_check",
    "reactive_power",
  ] as const
).map((name, at) => ({ obis: `0.0.99.98.${String(at)}.255`, name }));

type Row = RegisterRow & { readonly msgType: MessageTypeId };

const energies = [
  [1, "tariff"],
  [2, "tariff_negative"],
  [3, "tariff_reactive"],
  [4, "tariff_reactive_negative"],
] as const;

/** Total and four tariffs of the four energies. */
const counters: readonly Row[] = energies.flatMap(([quantity, prefix]) =>
  ([0, 1, 2, 3, 4] as const).map((tariff): Row => {
    const field: FieldName = `${prefix}${tariff}`;
    return { msgType: 1, obis: `1.0.${String(quantity)}.8.${String(tariff)}.255`, field };
  }),
);

const moment = (quantity: number, field: FieldName): Row => ({
  msgType: 2,
  obis: `1.0.${String(quantity)}.7.0.255`,
  field,
});

/** Instantaneous values of a three-phase meter; a single-phase one has the sums and the first phase. */
const moments: readonly Row[] = [
  moment(1, "power_active"),
  moment(3, "power_reactive"),
  moment(9, "power_apparent"),
  moment(13, "cos0"),
  moment(14, "Frequency"),
  ...([1, 2, 3] as const).flatMap((phase) => {
    const base = phase * 20;
    return [
      moment(base + 12, `voltage${phase}`),
      moment(base + 11, `current${phase}`),
      moment(base + 1, `power_active${phase}`),
      moment(base + 3, `power_reactive${phase}`),
      moment(base + 13, `cos${phase}`),
    ];
  }),
];

/** Energy of an interval (1.0.n.29.0), converted to its average power. */
const loadColumns = [
  { obis: "1.0.1.29.0.255", field: "power_a_plus" },
  { obis: "1.0.2.29.0.255", field: "power_a_minus" },
  { obis: "1.0.3.29.0.255", field: "power_r_plus" },
  { obis: "1.0.4.29.0.255", field: "power_r_minus" },
] as const;

const slices = counters.map(({ obis, field }) => ({ obis, field }));

/** Profiles with their scaler profiles. */
const profiles = (periodSec: number): readonly ProfileTable[] => [
  {
    msgType: 5,
    obis: "1.0.99.1.0.255",
    columns: loadColumns,
    period: periodSec,
    scalerProfile: "1.0.94.7.4.255",
  },
  { msgType: 101, obis: "1.0.98.2.0.255", columns: slices, period: 86_400, scalerProfile: "1.0.94.7.2.255" },
  { msgType: 103, obis: "1.0.98.1.0.255", columns: slices, period: "month", scalerProfile: "1.0.94.7.1.255" },
];

/**
 * The client that may change the meter; the reader may not. [From memory of the standard, not verified: that
 * it proves its keys by GMAC, and the object of its counter.]
 */
const configurator = {
  client: spodesClients.configurator,
  authentication: {
    kind: "gmac",
    counter: { obis: "0.0.43.1.0.255", client: spodesClients.public },
  },
} as const satisfies DlmsOptions["control"];

/** Properties that distinguish SPODES meters. */
export interface SpodesOptions {
  readonly transport: DlmsOptions["transport"];
  readonly server: ServerRule;
  readonly utcOffsetMinutes: number;
  /** Default: the reader with its password. */
  readonly client?: number;
  readonly authentication?: Authentication;
  /** Seconds of an interval of the load profile: 1800 or 3600. */
  readonly loadPeriodSec?: number;
  /** Current values register by register, for meters without the profile 1.0.94.7.0. */
  readonly isCurrentByRegister?: boolean;
  readonly isThreePhase?: boolean;
  /** Deviations of single meters from the profile: clocks with a wrong sign, list sizes, limits. */
  readonly changes?: Partial<DlmsOptions>;
}

/**
 * Driver of a meter by SPODES (GOST R 58940-2020, STO 34.01-5.1-006).
 * Source: protocol facts of the product, from memory of the standards; NOT checked against the text of the
 * standard or a live meter: which scaler profile belongs to which profile (1 monthly, 2 daily, 3 current, 4
 * load; what it lacks is read from the register itself), the columns of the load profile (1.0.n.29.0), the
 * subjects of the journals, and that the default password is the reader's. Verified: the dialogue (recorded sessions), our own simulator.
 * The second load profile (1.0.99.2.0) and the code tables of the journals are not here.
 * Units and errors: see `dlms`.
 */
export function spodes(options: SpodesOptions): DlmsDriver {
  const isThreePhase = options.isThreePhase ?? true;
  const registers = [...counters, ...moments].filter(
    ({ field }) => isThreePhase || !/[a-z][23]$/.test(field) || field.startsWith("tariff"),
  );
  return dlms({
    transport: options.transport,
    client: options.client ?? spodesClients.reader,
    authentication: options.authentication ?? { kind: "lls", default: spodesReaderPassword },
    ...(options.client === undefined && options.authentication === undefined
      ? { control: configurator }
      : {}),
    server: options.server,
    resource: "electricity",
    registers,
    profiles: profiles(options.loadPeriodSec ?? 1800),
    journals: spodesJournals,
    clock: { utcOffsetMinutes: options.utcOffsetMinutes },
    ...(options.isCurrentByRegister === true
      ? {}
      : { current: { obis: "1.0.94.7.0.255", scalerProfile: "1.0.94.7.3.255", columns: registers } }),
    ...options.changes,
  });
}
