import type { MessageTypeId, ResourceKey } from "@metrum/vocabulary";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { LinkLimits } from "./link/link.ts";
import type { ClockOptions } from "./objects/clock.ts";
import type { CurrentTable } from "./objects/current.ts";
import type { JournalTable } from "./objects/events.ts";
import type { ProfileTable } from "./objects/profile.ts";
import type { RegisterRow } from "./objects/registers.ts";
import type { HdlcAddress } from "./link/frames.ts";

/** Client that every meter accepts without authentication. Source: Green Book, 4.1.8.4 (public client). */
export const publicClient = 16;

/** Addressing of a family of meters. */
export interface ServerRule {
  /** Logical device; 1 is the management device of every meter. */
  readonly logical: number;
  /** Bytes of an HDLC address. */
  readonly bytes: 1 | 2 | 4;
  /**
   * Source of the physical address: the number entered as address on the bus; the serial number by the common
   * rule (last four digits + 1000); or none.
   */
  readonly physical: "insideAddr" | "serial" | "none";
}

/** Authentication required by a family of meters. */
export type Authentication =
  | { readonly kind: "none" }
  /** `default` is used when the device has no password. */
  | { readonly kind: "lls"; readonly default?: string }
  | {
      readonly kind: "gmac";
      /** System title of the client, 16 hexadecimal digits; absent: derived from the device's number. */
      readonly systemTitle?: string;
      /**
       * Object with the meter's invocation counter and the client that may read it; absent: only the client's
       * own is counted.
       */
      readonly counter?: { readonly obis: string; readonly client: number };
    };

/** Properties that distinguish DLMS meters. */
export interface DlmsOptions {
  /** Unless the line of a device has its own. */
  readonly transport: "hdlc" | "wrapper";
  readonly client: number;
  readonly authentication: Authentication;
  /** Client that may change the meter, if the one above may only read. */
  readonly control?: { readonly client: number; readonly authentication: Authentication };
  readonly server: ServerRule;
  readonly resource: ResourceKey;
  readonly registers: readonly (RegisterRow & { readonly msgType: MessageTypeId })[];
  /** Profile with all current values in one row; a meter without it is read register by register. */
  readonly current?: CurrentTable;
  readonly profiles?: readonly ProfileTable[];
  readonly journals?: readonly JournalTable[];
  readonly clock: ClockOptions;
  readonly limits?: Partial<LinkLimits>;
  /** Proposed maximum information length of an HDLC frame; absent: the meter decides (128). */
  readonly maxInfo?: number;
  readonly listSize?: number;
  /** Messages in the general form (general-glo) if the meter supports it. */
  readonly isGeneralProtection?: boolean;
  readonly fixedInvokeId?: number;
  readonly isReleased?: boolean;
}

/** The line decides: one model is read over HDLC behind a converter, and in the wrapper over its own network port. */
export const transportOf = (
  { transport }: Pick<DlmsOptions, "transport">,
  { isWrapped }: Pick<DeviceAddress, "isWrapped">,
): DlmsOptions["transport"] => (isWrapped === true ? "wrapper" : transport);

/** The options of the client that may change the meter. */
export const controllerOf = (options: DlmsOptions): DlmsOptions => ({ ...options, ...options.control });

/**
 * Address of the meter by the rule of its family.
 * Source: IEC 62056-46, 6.4.2; serial numbers by the rule of Gurux and many manufacturers, number mod 10000 +
 * 1000 (the rule of a manufacturer may differ).
 * Errors: ProtocolError "unexpected" for an address that is no number or does not fit.
 */
export function serverAddress(
  rule: ServerRule,
  device: Pick<DeviceAddress, "insideAddr" | "deviceID">,
): HdlcAddress {
  const { logical, bytes, physical } = rule;
  const lower = physicalOf(rule, device);
  if (bytes === 1) return { upper: lower ?? logical, lower: null, bytes };
  const limit = bytes === 2 ? 0x7f : 0x3fff;
  if (lower === null || lower > limit)
    throw new ProtocolError("unexpected", `the ${physical} gives no address from 0 to ${String(limit)}`);
  return { upper: logical, lower, bytes };
}

function physicalOf(
  { physical }: ServerRule,
  device: Pick<DeviceAddress, "insideAddr" | "deviceID">,
): number | null {
  if (physical === "none") return null;
  const text =
    physical === "insideAddr" ? device.insideAddr.trim() : device.deviceID.replaceAll(/\D/g, "").slice(-4);
  if (!/^\d{1,5}$/.test(text))
    throw new ProtocolError("unexpected", `the ${physical} "${text}" is no number`);
  return physical === "serial" ? Number(text) + 1000 : Number(text);
}

const titlePrefix = "MTR";

/**
 * System title of the client for one device: three letters and 40 bits of the device's number. Devices with a
 * common key must not share a title: the nonce of the cipher is title and counter, and each device has its
 * own counter.
 * Source: Green Book 9.2.7.2.3 (three letters of the manufacturer, five bytes of its own). "MTR" is not
 * registered. Errors: none.
 */
export function clientTitle(deviceID: string): Uint8Array {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(deviceID))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffff_ffff_ffff_ffffn;
  const own = Array.from({ length: 5 }, (_, at) => Number((hash >> BigInt(8 * (4 - at))) & 0xffn));
  return Uint8Array.of(...new TextEncoder().encode(titlePrefix), ...own);
}
