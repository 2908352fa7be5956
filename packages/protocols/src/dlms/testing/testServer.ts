import type { DeviceOrder, Obedience } from "../../core/orders.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import type { DlmsOptions } from "../options.ts";
import type { Manners } from "../responder/meter.ts";
import { aMeter, device, options } from "./testMeter.ts";
import type { Aarq, AccessResult, Apdu, DlmsData, SelectiveAccess } from "../types.ts";
import { encodeWrapper, parseWrapper } from "../link/wrapper.ts";

export const testInvoke = { id: 1, isConfirmed: true, isHighPriority: true };

/** A proposal of a client with the password of the device. */
export const aarq = (changes: Partial<Aarq> = {}): Aarq => ({
  type: "aarq",
  context: 1,
  systemTitle: null,
  hasAuthentication: true,
  mechanism: 1,
  authenticationValue: new TextEncoder().encode("Gurux"),
  userInformation: {
    type: "initiateRequest",
    dedicatedKey: null,
    isResponseAllowed: true,
    qualityOfService: null,
    version: 6,
    conformance: new Set(["get", "set", "action", "generalProtection", "read"]),
    maxPdu: 0xffff,
  },
  other: [],
  ...changes,
});

/** A simulated meter in the wrapper, which a client is connected to. */
export function meter(
  changes: Partial<DlmsOptions> = {},
  manners: Manners = {},
  takeOrder: (order: DeviceOrder) => Obedience = () => "obey",
) {
  const of = options({ transport: "wrapper", clock: { utcOffsetMinutes: 0 }, ...changes });
  const own = aMeter(of, manners, device, takeOrder);
  const ask = (apdu: Apdu, client = 32): Apdu | undefined => {
    const [reply] = own.receive(encodeWrapper({ source: client, destination: 1, payload: encodeApdu(apdu) }));
    return reply && decodeApdu(parseWrapper(reply).payload);
  };
  const get = (key: string, access: SelectiveAccess | null = null, client = 32): AccessResult | string => {
    const reply = ask(
      { type: "getRequest", invoke: testInvoke, attribute: attributeOf(key), access },
      client,
    );
    return reply?.type === "getResponse" ? reply.result : (reply?.type ?? "silence");
  };
  const read = (key: string, access: SelectiveAccess | null = null): DlmsData | undefined => {
    const result = get(key, access);
    return typeof result !== "string" && result.kind === "data" ? result.value : undefined;
  };
  const set = (key: string, value: DlmsData | null, client = 32): number | undefined => {
    const reply = ask(
      { type: "setRequest", invoke: testInvoke, attribute: attributeOf(key), access: null, value },
      client,
    );
    return reply?.type === "setResponse" ? reply.result : undefined;
  };
  const call = (
    key: string,
    parameters: DlmsData | null = { type: "int8", value: 0 },
  ): number | undefined => {
    const { attribute, ...object } = attributeOf(key);
    const reply = ask({
      type: "actionRequest",
      invoke: testInvoke,
      method: { ...object, method: attribute },
      parameters,
    });
    return reply?.type === "actionResponse" ? reply.result : undefined;
  };
  const connect = (request = aarq(), client = 32) => ask(request, client);
  return { ask, get, read, set, call, connect, receive: (bytes: Uint8Array) => own.receive(bytes) };
}
/** Of "3 1.0.1.8.0.255 2": class, name, and attribute or method. */
export function attributeOf(key: string) {
  const [classId = "", obis = "", attribute = ""] = key.split(" ");
  return { classId: Number(classId), obis, attribute: Number(attribute) };
}
/** The same, connected. */
export function connected(...of: Parameters<typeof meter>) {
  const own = meter(...of);
  own.connect();
  return own;
}
/** 12 bytes of a time, in UTC. */
export const moment = (at: number): DlmsData => {
  const date = new Date(at * 1000);
  const year = date.getUTCFullYear();
  const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
  return {
    type: "octets",
    value: Uint8Array.of(
      ...[year >> 8, year & 0xff, date.getUTCMonth() + 1, date.getUTCDate(), weekday],
      ...[date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), 0, 0, 0, 0],
    ),
  };
};
