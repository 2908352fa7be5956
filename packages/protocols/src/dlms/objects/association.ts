import type { Conversation } from "../../core/conversation.ts";
import type { Session } from "../session/session.ts";
import type { DlmsData } from "../types.ts";
import { captureObjectOf, integerOf, itemsOf, logicalNameOf } from "./values.ts";

/** One object of a meter. */
export interface MeterObject {
  readonly classId: number;
  readonly version: number;
  readonly obis: string;
}

/**
 * Objects that this client sees, in the meter's order; long on most meters.
 * Source: Blue Book 4.4.4, association LN attribute 2: class, version, logical name, access rights. Rights
 * are not kept.
 * Errors: ProtocolError "unexpected" for another shape; as `Session.value`.
 */
export function* readObjectList(session: Session): Conversation<MeterObject[]> {
  const list = yield* session.value({ classId: 15, obis: "0.0.40.0.0.255", attribute: 2 });
  return itemsOf(list, "object list").map(meterObjectOf);
}

function meterObjectOf(data: DlmsData): MeterObject {
  const [classId, version, name] = itemsOf(data, "object");
  return {
    classId: integerOf(classId, "class"),
    version: integerOf(version, "version"),
    obis: logicalNameOf(name),
  };
}

/**
 * Push object list of a meter: class, logical name, attribute and index of each value, in the order of its
 * notifications. Source: Blue Book 4.4.8, push setup (class 40) attribute 2. Errors: as `readObjectList`.
 */
export function* readPushList(session: Session, obis = "0.0.25.9.0.255") {
  const list = yield* session.value({ classId: 40, obis, attribute: 2 });
  return itemsOf(list, "push objects").map((each) => captureObjectOf(each));
}
