import { ByteWriter } from "../core/bytes.ts";
import { recordDataBytes } from "../mbus/records.ts";
import { addressOf } from "./address.ts";
import { putInChecks, type FrameFormat } from "./blocks.ts";
import { formatOf, signatureOf } from "./compact.ts";
import { crcEn13757 } from "./crc.ts";
import {
  authenticationCode,
  blockBytes,
  cryptPayload,
  derivation,
  deriveKey,
  encryptBlocks,
  vectorOfMode5,
  vectorOfMode7,
} from "./crypto.ts";

/** Protection of a simulated meter's records. `extended`: the extended link layer, as in Kamstrup meters. */
export type Security = "none" | "mode5" | "mode7" | "extended";

/** One telegram to be built. */
export interface TelegramPlan {
  /** Three capital letters, eight digits, version and medium of the meter. */
  readonly manufacturer: string;
  readonly id: string;
  readonly version: number;
  readonly medium: number;
  readonly accessNumber: number;
  readonly security: Security;
  /** Required unless nothing is protected. */
  readonly key?: Uint8Array;
  /** Message counter of mode 7, session of the extended link layer. */
  readonly counter?: number;
  /** Long header (72) with the meter's address, behind a radio module; otherwise a short one (7A). */
  readonly module?: {
    readonly manufacturer: string;
    readonly id: string;
    readonly version: number;
    readonly medium: number;
  };
  /** Sends the records without their heads, which an earlier full frame contained. */
  readonly isCompact?: boolean;
  readonly format?: FrameFormat;
}

const filler = 0x2f;
const sndNr = 0x44;
const shortExtendedCc = 0x20;
/** Message control: counter and a code of 8 bytes are in the layer. */
const messageControl = 0x25;
const codeBytes = 8;
/** Key derivation A, key 0. */
const mode7Extension = 0x10;

/**
 * Builds a telegram around records: the meter's side, for the simulator and for tests.
 * Source and layout: EN 13757-4, EN 13757-7, OMS vol. 2, the reverse of `readWmbus`: mode 5 and nothing with
 * CI 7A or 72, mode 7 behind a short extended link layer (8C) and an authentication layer (90) with a code of
 * 8 bytes, `extended` as 8D with records of CI 78 or 79.
 * Errors: RangeError when the records do not fit, or no key is given where one is needed (a bug of the
 * caller).
 */
export function buildTelegram(records: Uint8Array, plan: TelegramPlan): Uint8Array {
  const content = contentOf(records, plan);
  const body = new ByteWriter()
    .u8(sndNr)
    .raw(addressOf(plan.module ?? plan))
    .raw(content)
    .finish();
  return putInChecks(new ByteWriter().u8(body.length).raw(body).finish(), plan.format ?? "none");
}

function contentOf(records: Uint8Array, plan: TelegramPlan): Uint8Array {
  const { security, isCompact = false } = plan;
  const data = isCompact ? compacted(records) : records;
  switch (security) {
    case "none":
      return new ByteWriter()
        .raw(headed(plan, 0, isCompact))
        .raw(data)
        .finish();
    case "mode5":
      return mode5(padded(data), plan);
    case "mode7":
      return mode7(padded(data), plan);
    case "extended":
      return extended(
        new ByteWriter()
          .u8(isCompact ? 0x79 : 0x78)
          .raw(data)
          .finish(),
        plan,
      );
  }
}

/** CI and header. Layout: as `readTransport`. */
function headed(plan: TelegramPlan, configuration: number, isCompact: boolean): Uint8Array {
  const writer = new ByteWriter();
  if (plan.module === undefined) writer.u8(isCompact ? 0x7b : 0x7a);
  else {
    const address = addressOf(plan);
    writer
      .u8(isCompact ? 0x73 : 0x72)
      .raw(address.subarray(2, 6))
      .raw(address.subarray(0, 2))
      .raw(address.subarray(6));
  }
  return writer.u8(plan.accessNumber).u8(0).u16le(configuration).finish();
}

/** Two filler bytes that verify the key, the data, and fillers up to whole blocks. */
function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((data.length + 2) / blockBytes) * blockBytes).fill(filler);
  bytes.set(data, 2);
  return bytes;
}

function keyFor({ key }: TelegramPlan): Uint8Array {
  if (key === undefined) throw new RangeError("a protected telegram needs a key");
  return key;
}

function blocksOf(data: Uint8Array): number {
  const blocks = data.length / blockBytes;
  if (blocks > 15) throw new RangeError("more than 15 blocks");
  return blocks << 4;
}

function mode5(data: Uint8Array, plan: TelegramPlan): Uint8Array {
  const head = headed(plan, 0x0500 | blocksOf(data), plan.isCompact ?? false);
  const vector = vectorOfMode5(addressOf(plan), plan.accessNumber);
  return new ByteWriter()
    .raw(head)
    .raw(encryptBlocks(keyFor(plan), vector, data))
    .finish();
}

function mode7(data: Uint8Array, plan: TelegramPlan): Uint8Array {
  const of = { counter: plan.counter ?? 0, meterNumber: addressOf(plan).subarray(2, 6) };
  const key = keyFor(plan);
  const sealed = encryptBlocks(deriveKey(key, derivation.encryption, of), vectorOfMode7, data);
  const head = headed(plan, 0x0700 | blocksOf(data), plan.isCompact ?? false);
  const content = new ByteWriter().raw(head).u8(mode7Extension).raw(sealed).finish();
  const { counter } = of;
  const code = authenticationCode(deriveKey(key, derivation.authentication, of), {
    control: messageControl,
    counter,
    content,
  });
  const writer = new ByteWriter().u8(0x8c).u8(shortExtendedCc).u8(plan.accessNumber);
  writer
    .u8(0x90)
    .u8(2 + 1 + 4 + codeBytes)
    .u16le(0x2c00)
    .u8(messageControl)
    .u32le(counter);
  return writer.raw(code.subarray(0, codeBytes)).raw(content).finish();
}

function extended(content: Uint8Array, plan: TelegramPlan): Uint8Array {
  // Bits 29-31 of the session mean AES-128-CTR.
  const session = new ByteWriter().u32le(((plan.counter ?? 0) & 0x1fffffff) + 0x20000000).finish();
  const payload = new ByteWriter().u16le(crcEn13757(content)).raw(content).finish();
  const sealed = cryptPayload(
    keyFor(plan),
    { address: addressOf(plan), cc: shortExtendedCc, session },
    payload,
  );
  const writer = new ByteWriter().u8(0x8d).u8(shortExtendedCc).u8(plan.accessNumber);
  return writer.raw(session).raw(sealed).finish();
}

function compacted(records: Uint8Array): Uint8Array {
  const format = formatOf(records);
  if (format === undefined) throw new RangeError("special DIFs have no compact form");
  const writer = new ByteWriter().u16le(signatureOf(format)).u16le(crcEn13757(records));
  return writer.raw(dataOf(records, format)).finish();
}

function dataOf(records: Uint8Array, format: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  let at = 0;
  for (const head of format) {
    at += head.length;
    const bytes = recordDataBytes(head[0] ?? 0, records[at]);
    writer.raw(records.subarray(at, at + bytes));
    at += bytes;
  }
  return writer.finish();
}
