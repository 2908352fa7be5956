import { withoutNoise, type FieldName, type ProtocolKey } from "@metrum/vocabulary";
import type { Span } from "../core/bytes.ts";
import type { DownlinkFunctions } from "../core/command.ts";
import { rawDownlink } from "../core/downlinks.ts";
import type { MeterState, PulseScale, UplinkDriver } from "../core/driver.ts";
import { fromPulses, toPulses } from "../core/pulses.ts";
import type { DecodedValue, Reading } from "../core/reading.ts";

/** Decodes one payload completely, by the manufacturer's names and units. Errors: ProtocolError. */
export type PayloadDecoder = (payload: Uint8Array, fport: number, trace?: Span[]) => DecodedValue[];

/**
 * Target of a payload value: a field with a factor, or pulses converted with weight and start of the device.
 */
export interface FieldRule {
  readonly field: FieldName;
  readonly factor?: number;
  /** "main": the counter to which the starting value applies. */
  readonly pulses?: "main" | "other";
}

export interface PayloadDriverOptions {
  readonly protocol: ProtocolKey;
  readonly decode: PayloadDecoder;
  /** By the manufacturer's name of the value; values without a rule are not stored. */
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** The payload of a simulated device; `value` returns the sensor value by the manufacturer's name. */
  readonly encode: (value: (name: string) => number) => { fport: number; payload: Uint8Array };
  /** Commands beside bytes of a user. */
  readonly commands?: DownlinkFunctions;
  readonly receive?: UplinkDriver["receive"];
}

/**
 * Driver of a sensor whose payload is a list of values (message type 1). A value with its own time is a
 * reading of that time.
 */
export function payloadDriver({
  protocol,
  decode,
  fields,
  encode,
  commands,
  receive,
}: PayloadDriverOptions): UplinkDriver {
  return {
    kind: "uplink",
    protocol,
    commands: { ...rawDownlink, ...commands },
    ...(receive ? { receive } : {}),
    decode: (payload, fport, scale) => readingsOf(decode(payload, fport), fields, scale),
    encode: (device, state) => encode((name) => shown(fields[name], state, device)),
    explain: (payload, fport) => {
      const trace: Span[] = [];
      decode(payload, fport, trace);
      return trace;
    },
  };
}

function readingsOf(
  decoded: readonly DecodedValue[],
  fields: PayloadDriverOptions["fields"],
  scale: PulseScale,
): Reading[] {
  const byTime = new Map<string, Partial<Record<FieldName, number | null>>>();
  for (const { name, value, time = "" } of decoded) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!rule || (typeof value !== "number" && value !== null)) continue;
    const values = byTime.get(time) ?? {};
    values[rule.field] = value === null ? null : inOurUnit(value, rule, scale);
    byTime.set(time, values);
  }
  return [...byTime].map(([time, values]) => ({
    msgType: 1,
    at: time === "" ? null : Date.parse(time) / 1000,
    values,
  }));
}

const withoutStart = (scale: PulseScale): PulseScale => ({ ...scale, startingValue: 0 });

function inOurUnit(value: number, { factor = 1, pulses }: FieldRule, scale: PulseScale): number {
  if (pulses) return fromPulses(value, pulses === "main" ? scale : withoutStart(scale));
  return withoutNoise(value * factor);
}

function shown(rule: FieldRule | undefined, state: MeterState, scale: PulseScale): number {
  if (!rule) return 0;
  const value = state(rule.field);
  if (rule.pulses) return toPulses(value, rule.pulses === "main" ? scale : withoutStart(scale));
  return value / (rule.factor ?? 1);
}

/** A decoded value without digits caused by the conversion. */
export function decoded(name: string, value: DecodedValue["value"], unit = ""): DecodedValue {
  return { name, value: typeof value === "number" ? Number(value.toPrecision(15)) : value, unit };
}
