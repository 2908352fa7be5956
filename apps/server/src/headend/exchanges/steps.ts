import { deflateRawSync, inflateRawSync } from "node:zlib";
import { storableJson } from "#core";
import type { LoggedStep } from "./exchange.ts";

/**
 * First byte of compressed steps. Stored for years: a format is never changed, a new one gets the next
 * number.
 */
const plain = 0;
const deflated = 1;
const short = 2;

/**
 * Preset dictionary of common content, the most frequent last, which deflate refers to. Belongs to format 1
 * and is never edited: steps compressed with it could not be read any more.
 */
const dictionary = Buffer.from(
  '"error":{"kind":"checksum","message":""error":{"kind":"no_line","message":"the modem is not connected"}' +
    '"error":{"kind":"unexpected","message":""error":{"kind":"timeout","message":"no answer"}' +
    '"fport":2,"heardAt":17"codec":"label":"Uplink, port "label":"Downlink, port "label":"read registers ' +
    '"label":"profile "label":"energy "label":"instant values"0000000000000000ffffffff' +
    '[{"label":"","try":1,"tries":1,"at":0,"answered":null,"ended":0,"sent":"","received":""}]' +
    '"},{"label":"","try":1,"tries":3,"at":1,"answered":1,"ended":1,"sent":"","received":"',
);
/**
 * The dictionary and a usual exchange fit; a larger window and tables cost memory and time at each call, and
 * save no byte.
 */
const options = { dictionary, windowBits: 13, memLevel: 2, level: 6, chunkSize: 1024 };

/** Steps as stored in the exchange log. */
export function packSteps(steps: readonly LoggedStep[]): Buffer {
  const brief = steps.every(isTold) ? storableJson(steps.map(shortened)) : undefined;
  if (brief !== undefined && brief.length <= longestShort) return packed(short, Buffer.from(brief));
  const json = Buffer.from(storableJson(steps));
  return steps.length === 0 ? packed(plain, json) : packed(deflated, deflateRawSync(json, options));
}

const packed = (packing: number, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.of(packing), bytes]);

/**
 * Up to this size the short form is hardly larger than the deflated one, and takes a twentieth of the time:
 * an uplink is about 170.
 */
const longestShort = 256;

/** An uplink has one attempt, no request and no times: only label and bytes are worth storing. */
const told = { try: 1, tries: 1, at: 0, answered: 0, ended: 0, sent: "" } as const;
type Short = readonly [label: LoggedStep["label"], received?: string, rest?: Partial<LoggedStep>];

const isTold = (step: LoggedStep): boolean =>
  step.try === 1 &&
  step.tries === 1 &&
  step.at === 0 &&
  step.answered === 0 &&
  step.ended === 0 &&
  step.sent === "";

function shortened({ label, received, fport, heardAt, codec, error }: LoggedStep): Short {
  const isPlain = fport === undefined && heardAt === undefined && codec === undefined && error === undefined;
  if (isPlain) return received === "" ? [label] : [label, received];
  return [label, received, { fport, heardAt, codec, error }];
}

const lengthened = ([label, received = "", rest]: Short): LoggedStep => ({
  label,
  ...told,
  received,
  ...rest,
});

/** The reverse. Throws Error for a format unknown to this version, and zlib's errors for damaged bytes. */
export function unpackSteps(bytes: Uint8Array): LoggedStep[] {
  const [packing] = bytes;
  const rest = bytes.subarray(1);
  const json = packing === deflated ? inflateRawSync(rest, options) : Buffer.from(rest);
  if (packing === short) return (JSON.parse(json.toString("utf8")) as Short[]).map(lengthened);
  if (packing !== plain && packing !== deflated)
    throw new Error(`steps are packed in a way that is not known: ${String(packing)}`);
  return JSON.parse(json.toString("utf8")) as LoggedStep[];
}
