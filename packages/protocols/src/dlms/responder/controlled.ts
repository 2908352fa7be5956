import { fromHex } from "../../core/bytes.ts";
import { obeyAlways, type DeviceOrder } from "../../core/orders.ts";
import { instantData, instantOf } from "../objects/clock.ts";
import { logicalName, numberOf, scalerUnitData } from "../objects/values.ts";
import type { CosemAttribute, CosemMethod, DlmsData } from "../types.ts";
import type { SimulatedMeter } from "./meter.ts";
import { results } from "./results.ts";
import { scaleOf } from "./scales.ts";

/** Objects of a simulated meter that can be changed. Undefined: the object is not one of them. */
export interface ControlledObjects {
  /** The meter's clock, epoch seconds UTC. */
  readonly now: () => number;
  readonly read: (attribute: CosemAttribute) => DlmsData | undefined;
  readonly write: (attribute: CosemAttribute, value: DlmsData) => number | undefined;
  readonly call: (method: CosemMethod, parameters: DlmsData | null) => number | undefined;
}

export const controlledNames: readonly (readonly [classId: number, obis: string])[] = [
  [8, "0.0.1.0.0.255"],
  [70, "0.0.96.3.10.255"],
  [71, "0.0.17.0.0.255"],
  [20, "0.0.13.0.0.255"],
  [11, "0.0.11.0.0.255"],
];

const keyOf = ({ classId, obis }: { classId: number; obis: string }, part: number): string =>
  `${String(classId)} ${obis} ${String(part)}`;
const clock = (attribute: number): string => `8 0.0.1.0.0.255 ${String(attribute)}`;
const relay = (attribute: number): string => `70 0.0.96.3.10.255 ${String(attribute)}`;
const limiter = (attribute: number): string => `71 0.0.17.0.0.255 ${String(attribute)}`;
const calendar = (attribute: number): string => `20 0.0.13.0.0.255 ${String(attribute)}`;
const specialDays = "11 0.0.11.0.0.255 2";

const text = (value: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(value) });
const whole = (type: "uint8" | "uint16" | "uint32" | "enum", value: number): DlmsData => ({ type, value });
const nothing: DlmsData = { type: "array", items: [] };
const never: DlmsData = { type: "octets", value: fromHex("ffffffffffffffffff800000") };
const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });

/** The register that the limiter watches. */
const powerObis = "1.0.1.7.0.255";
const monitored = structure(whole("uint16", 3), logicalName(powerObis), { type: "int8", value: 2 });
/** Scripts of the limiter: disconnect above the threshold, reconnect below it. */
const script = (selector: number): DlmsData =>
  structure(logicalName("0.0.10.0.106.255"), whole("uint16", selector));

/** Attributes that can be written, with their initial values. */
const initialValues = (): [string, DlmsData][] => [
  [relay(4), whole("enum", 4)],
  [limiter(4), whole("uint32", 15_000)],
  [limiter(5), whole("uint32", 15_000)],
  [limiter(6), whole("uint32", 60)],
  [limiter(7), whole("uint32", 60)],
  [calendar(6), text("")],
  [calendar(7), nothing],
  [calendar(8), nothing],
  [calendar(9), nothing],
  [calendar(10), never],
  [specialDays, nothing],
];

const passiveSet = [6, 7, 8, 9] as const;
/** Writing the passive calendar changes nothing yet: only its activation is an order. */
const passive: ReadonlySet<string> = new Set(passiveSet.map(calendar));

/** Constants; the active schedule is empty until the first activation. */
const constants: ReadonlyMap<string, DlmsData> = new Map([
  [clock(4), whole("uint8", 0)],
  [clock(8), { type: "bool", value: false }],
  [limiter(2), monitored],
  [limiter(11), structure(script(1), script(2))],
]);

interface Own {
  shift: number;
  /** control_state of the disconnect control. */
  state: 0 | 1 | 2;
  readonly values: Map<string, DlmsData>;
}

/**
 * Clock, disconnect control, limiter, activity calendar and special days of a simulated meter, which obey as
 * `takeOrder` says. In the modes 2 and 4 of the disconnect control remote reconnection closes the contact, in
 * the others it arms the meter; mode 0 refuses both. Source: Blue Book 4.5.1, 4.5.4, 4.5.5, 4.5.8, 4.5.9.
 */
export function controlledObjects(meter: SimulatedMeter): ControlledObjects {
  const own: Own = {
    shift: 0,
    state: 1,
    values: new Map([
      ...initialValues(),
      [calendar(2), text("")],
      [calendar(3), nothing],
      [calendar(4), nothing],
      [calendar(5), nothing],
    ]),
  };
  const now = (): number => meter.now() + own.shift;
  const obey = (order: DeviceOrder, act: () => void): number => {
    const obedience = (meter.takeOrder ?? obeyAlways)(order);
    if (obedience === "obey") act();
    return obedience === "refuse" ? results.refused : results.done;
  };
  return {
    now,
    read: (attribute) => readValue(meter, { own, now }, keyOf(attribute, attribute.attribute)),
    write: (attribute, value) => {
      const key = keyOf(attribute, attribute.attribute);
      if (key === clock(2)) return setClock(meter, { own, now, obey }, value);
      const kept = writable.has(key) ? own.values.get(key) : undefined;
      if (kept === undefined) return undefined;
      if (kept.type !== value.type) return results.typeUnmatched;
      if (passive.has(key)) {
        own.values.set(key, value);
        return results.done;
      }
      return obey(orderOf(meter, key, value), () => own.values.set(key, value));
    },
    call: (method, parameters) => callMethod({ own, now, obey }, method, parameters),
  };
}

const writable: ReadonlySet<string> = new Set(initialValues().map(([key]) => key));

function orderOf(meter: SimulatedMeter, key: string, value: DlmsData): DeviceOrder {
  if (key !== limiter(4)) return { kind: "set", name: key, value };
  return { kind: "limit", limitKw: ((numberOf(value) ?? 0) * 10 ** powerScale(meter).scaler) / 1000 };
}

const powerScale = ({ options: { registers } }: SimulatedMeter) =>
  scaleOf("power_active", "electricity", registers.find(({ obis }) => obis === powerObis)?.scale);

interface Acting {
  readonly own: Own;
  readonly now: () => number;
  readonly obey: (order: DeviceOrder, act: () => void) => number;
}

function readValue(
  { options }: SimulatedMeter,
  { own, now }: Pick<Acting, "own" | "now">,
  key: string,
): DlmsData | undefined {
  switch (key) {
    case clock(2):
      return instantData(now(), options.clock);
    case clock(3):
      return { type: "int16", value: -options.clock.utcOffsetMinutes };
    case relay(2):
      return { type: "bool", value: own.state === 1 };
    case relay(3):
      return whole("enum", own.state);
    case limiter(3):
      return own.values.get(limiter(4));
    default:
      return own.values.get(key) ?? constants.get(key);
  }
}

function setClock({ options }: SimulatedMeter, { own, now, obey }: Acting, value: DlmsData): number {
  const at = instantOf(value, options.clock);
  if (at === null) return results.typeUnmatched;
  const seconds = at - now();
  return obey({ kind: "clock", seconds }, () => (own.shift += seconds));
}

const maxShiftSec = 900;
const directModes: readonly number[] = [2, 4];
const modeOf = ({ values }: Own): number => numberOf(values.get(relay(4))) ?? 0;

function callMethod(
  { own, obey }: Acting,
  { classId, obis, method }: CosemMethod,
  parameters: DlmsData | null,
): number | undefined {
  const number = numberOf(parameters ?? undefined) ?? 0;
  switch (`${String(classId)} ${obis} ${String(method)}`) {
    case clock(6):
      if (parameters?.type !== "int16" || Math.abs(number) > maxShiftSec) return results.typeUnmatched;
      return obey({ kind: "clock", seconds: number }, () => (own.shift += number));
    case relay(1):
      if (modeOf(own) === 0) return results.refused;
      return obey({ kind: "power", isOn: false }, () => (own.state = 0));
    case relay(2):
      if (modeOf(own) === 0) return results.refused;
      if (directModes.includes(modeOf(own)))
        return obey({ kind: "power", isOn: true }, () => (own.state = 1));
      if (own.state === 0) own.state = 2;
      return results.done;
    case calendar(1):
      return obey(
        { kind: "set", name: "calendar", value: passiveSet.map((at) => own.values.get(calendar(at))) },
        () => {
          for (const attribute of passiveSet)
            own.values.set(calendar(attribute - 4), own.values.get(calendar(attribute)) ?? nothing);
        },
      );
    default:
      return undefined;
  }
}

/** Scaler and unit of the register that the limiter watches, for a model that does not read it. */
export const monitoredScale = (
  meter: SimulatedMeter,
  { classId, obis, attribute }: CosemAttribute,
): DlmsData | undefined =>
  classId === 3 && obis === powerObis && attribute === 3 ? scalerUnitData(powerScale(meter)) : undefined;
