import type { GetOptions, Session } from "../session/session.ts";
import { atOnce } from "../testing/testLink.ts";
import type { AccessResult, CosemAttribute, DlmsData } from "../types.ts";
import { valueOf } from "./values.ts";

/** A value, the code of a refusal, or what depends on the selection. */
export type Kept = DlmsData | number | ((of: GetOptions) => DlmsData);

/** "3 1.0.1.8.0.255 2" of class, name and attribute or method. */
const keyOf = (classId: number, obis: string, part: number): string =>
  `${String(classId)} ${obis} ${String(part)}`;

/** A session with a meter that keeps these objects, and what is asked of it; what it does not keep is undefined. */
export function testSession(objects: Readonly<Record<string, Kept>>) {
  const asked: string[] = [];
  const selections: GetOptions[] = [];
  const changes: [key: string, value: DlmsData][] = [];
  const resultOf = ({ classId, obis, attribute }: CosemAttribute, of: GetOptions = {}): AccessResult => {
    const key = keyOf(classId, obis, attribute);
    asked.push(key);
    if (of.access) selections.push(of);
    const kept = objects[key] ?? 4;
    if (typeof kept === "number") return { kind: "error", code: kept };
    return { kind: "data", value: typeof kept === "function" ? kept(of) : kept };
  };
  const session: Session = {
    agreement: { conformance: new Set(), maxPdu: 0 },
    get: (attribute, of) => atOnce(() => resultOf(attribute, of)),
    value: (attribute, of) => atOnce(() => valueOf(resultOf(attribute, of), attribute)),
    getAll: (attributes) => atOnce(() => attributes.map((each) => resultOf(each))),
    set: ({ classId, obis, attribute }, value) =>
      atOnce(() => void changes.push([keyOf(classId, obis, attribute), value])),
    action: ({ classId, obis, method }, parameters) =>
      atOnce(() => {
        changes.push([keyOf(classId, obis, method), parameters]);
        return null;
      }),
  };
  return { session, asked, selections, changes };
}

export const list = (...items: readonly DlmsData[]): DlmsData => ({ type: "array", items });
export const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });
export const whole = (
  type: "int8" | "uint8" | "int16" | "uint16" | "uint32" | "enum",
  value: number,
): DlmsData => ({ type, value });
export const octets = (...value: readonly number[]): DlmsData => ({
  type: "octets",
  value: Uint8Array.from(value),
});
/** Six bytes of "1.0.1.8.0.255". */
export const nameOf = (obis: string): DlmsData => octets(...obis.split(".").map(Number));
export const scale = (scaler: number, unit: number): DlmsData =>
  structure(whole("int8", scaler), whole("enum", unit));
/** A column of a profile. */
export const column = (classId: number, obis: string, attribute = 2): DlmsData =>
  structure(whole("uint16", classId), nameOf(obis), whole("int8", attribute), whole("uint16", 0));
/** 12 bytes of a local time. */
export function moment(iso: string, status = 0): DlmsData {
  const [year = 0, ...rest] = iso.split(/[-T:]/).map(Number);
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest;
  return octets(year >> 8, year & 0xff, month, day, 0xff, hour, minute, second, 0, 0x80, 0, status);
}
