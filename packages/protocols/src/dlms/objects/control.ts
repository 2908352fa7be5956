import { withoutNoise } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Session } from "../session/session.ts";
import type { CosemAttribute, DlmsData } from "../types.ts";
import { scaleAttribute } from "./registers.ts";
import { integerOf, itemsOf, logicalNameOf, numberOf, scalerUnitOf } from "./values.ts";

const relay = { classId: 70, obis: "0.0.96.3.10.255" } as const;

/** State of the load switch. Source: Blue Book 4.5.8, control_state. */
export const relayStates = ["disconnected", "connected", "ready_for_reconnection"] as const;
export type RelayState = (typeof relayStates)[number];

/** State of the load switch. `mode`: 0 none .. 6, the permitted ways of reconnection. */
export interface Relay {
  /** Whether the contact is closed. */
  readonly isClosed: boolean;
  readonly state: RelayState;
  readonly mode: number;
}

/** Errors: ProtocolError "unexpected" for a state that the standard does not give; as `Session.value`. */
export function* readRelay(session: Session, obis: string = relay.obis): Conversation<Relay> {
  const at = (attribute: number): CosemAttribute => ({ ...relay, obis, attribute });
  const isClosed = numberOf(yield* session.value(at(2))) === 1;
  const state = relayStates[integerOf(yield* session.value(at(3)), "control state")];
  const mode = integerOf(yield* session.value(at(4)), "control mode");
  if (state === undefined) throw new ProtocolError("unexpected", "the meter names a state that there is not");
  return { isClosed, state, mode };
}

/**
 * Switches the load; in many modes reconnection only arms the meter, and its button
 * must be pressed ("ready_for_reconnection"). Sent once: if the answer is lost, the state shows the outcome.
 * Source: Blue Book 4.5.8, methods 1 remote_disconnect and 2 remote_reconnect, argument int8 0. Errors:
 * ProtocolError "refused" with the action-result; of the dialogue.
 */
export function* switchRelay(session: Session, isOn: boolean, obis: string = relay.obis): Conversation<void> {
  yield* session.action({ ...relay, obis, method: isOn ? 2 : 1 }, { type: "int8", value: 0 });
}

const limiter = { classId: 71, obis: "0.0.17.0.0.255" } as const;

/** A limiter in the unit of the monitored value. */
export interface Limiter {
  /** Object and attribute that it monitors. */
  readonly monitored: CosemAttribute;
  readonly activeThreshold: number | null;
  readonly normalThreshold: number | null;
  /** Seconds above and below the threshold after which the meter acts. */
  readonly minOverSec: number | null;
  readonly minUnderSec: number | null;
  readonly unit: number;
}

const at = (attribute: number, obis: string): CosemAttribute => ({ ...limiter, obis, attribute });

function* readMonitored(session: Session, obis: string) {
  const [classId, name, attribute] = itemsOf(yield* session.value(at(2, obis)), "monitored value");
  const monitored: CosemAttribute = {
    classId: integerOf(classId, "class"),
    obis: logicalNameOf(name),
    attribute: integerOf(attribute, "attribute"),
  };
  // A plain data object has no scaler.
  const result = monitored.classId === 1 ? undefined : yield* session.get(scaleAttribute(monitored));
  const scale = result?.kind === "data" ? scalerUnitOf(result.value) : { scaler: 0, unit: 255 };
  return { monitored, scale };
}

/**
 * Source: Blue Book 4.5.9. Thresholds in the unit (not thousands) of the watched register. Errors: as
 * `Session.value`.
 */
export function* readLimiter(session: Session, obis: string = limiter.obis): Conversation<Limiter> {
  const { monitored, scale } = yield* readMonitored(session, obis);
  const scaled = (data: DlmsData): number | null => {
    const value = numberOf(data);
    return value === null ? null : withoutNoise(value * 10 ** scale.scaler);
  };
  return {
    monitored,
    activeThreshold: scaled(yield* session.value(at(3, obis))),
    normalThreshold: scaled(yield* session.value(at(4, obis))),
    minOverSec: numberOf(yield* session.value(at(6, obis))),
    minUnderSec: numberOf(yield* session.value(at(7, obis))),
    unit: scale.unit,
  };
}

/** A value for an attribute of the limiter, in the type that the meter keeps it in. */
export interface LimiterWrite {
  readonly attribute: CosemAttribute;
  readonly value: DlmsData;
}

/**
 * Prepares the threshold of normal operation, and how long it may be exceeded or undershot; nothing is
 * changed yet.
 * Source: Blue Book 4.5.9, attributes 4, 6 and 7. `threshold` is in the unit of the watched register (W, A).
 * Errors: ProtocolError "unexpected" when it does not fit the type of the meter; as `Session.value`.
 */
export function* prepareLimit(
  session: Session,
  limit: { readonly threshold: number; readonly minOverSec?: number; readonly minUnderSec?: number },
  obis: string = limiter.obis,
): Conversation<readonly LimiterWrite[]> {
  const { scale } = yield* readMonitored(session, obis);
  const kept = yield* session.value(at(4, obis));
  const durations = [
    [6, limit.minOverSec],
    [7, limit.minUnderSec],
  ] as const;
  return [
    { attribute: at(4, obis), value: sameType(kept, limit.threshold / 10 ** scale.scaler) },
    ...durations.flatMap(([attribute, seconds]) =>
      seconds === undefined
        ? []
        : [
            {
              attribute: at(attribute, obis),
              value: { type: "uint32", value: Math.round(seconds) } as const,
            },
          ],
    ),
  ];
}

const ranges = {
  int8: [-0x80, 0x7f],
  uint8: [0, 0xff],
  int16: [-0x8000, 0x7fff],
  uint16: [0, 0xffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
  uint32: [0, 0xffff_ffff],
} as const;

/** A number in the type of another value. Errors: ProtocolError "unexpected". */
export function sameType(kept: DlmsData, value: number): DlmsData {
  switch (kept.type) {
    case "float32":
    case "float64":
      return { type: kept.type, value };
    case "int64":
    case "uint64":
      return { type: kept.type, value: BigInt(Math.round(value)) };
    case "int8":
    case "uint8":
    case "int16":
    case "uint16":
    case "int32":
    case "uint32": {
      const [min, max] = ranges[kept.type];
      const whole = Math.round(value);
      if (whole < min || whole > max)
        throw new ProtocolError("unexpected", `${String(whole)} does not fit in ${kept.type}`);
      return { type: kept.type, value: whole };
    }
    default:
      throw new ProtocolError("unexpected", `the meter keeps ${kept.type} where a number belongs`);
  }
}
