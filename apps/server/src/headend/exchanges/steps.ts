import { deflateRawSync, inflateRawSync } from "node:zlib";
import { storableJson } from "#core";
import type { LoggedStep } from "./exchange.ts";

/**
 * First byte of compressed steps. Stored for years: a format is never changed, a new one gets the next
 * number.
 */
const plain = 0;
const deflatedText = 1;
const short = 2;
const deflated = 3;

/** Preset dictionary of format 1, whose steps were named by text. Never edited, as the one below. */
const textDictionary = Buffer.from(
  '"error":{"kind":"checksum","message":""error":{"kind":"no_line","message":"the modem is not connected"}' +
    '"error":{"kind":"unexpected","message":""error":{"kind":"timeout","message":"no answer"}' +
    '"fport":2,"heardAt":17"codec":"label":"Uplink, port "label":"Downlink, port "label":"read registers ' +
    '"label":"profile "label":"energy "label":"instant values"0000000000000000ffffffff' +
    '[{"label":"","try":1,"tries":1,"at":0,"answered":null,"ended":0,"sent":"","received":""}]' +
    '"},{"label":"","try":1,"tries":3,"at":1,"answered":1,"ended":1,"sent":"","received":"',
);
/**
 * Preset dictionary of common content, the most frequent last, which deflate refers to. Belongs to format 3
 * and is never edited: steps compressed with it could not be read any more.
 */
const dictionary = Buffer.from(
  '"error":{"kind":"checksum","message":""error":{"kind":"no_line","message":"the modem is not connected"}' +
    '"error":{"kind":"unexpected","message":""error":{"kind":"timeout","message":"no answer"}' +
    '"fport":2,"heardAt":17"codec":"bridge""enter_programming""sign_on""break_off""go_on"' +
    '"disconnect""release""associate""connect"{"code":"read_journal","n":"","record":' +
    '{"code":"read_power_profile","n":"0{"code":"open_channel","level":1}"close_channel"' +
    '{"code":"read","what":"active_power"}reactive_power"voltage"current"frequency"clock"{"code":"data_set","n":"' +
    '"read_energy_sum"{"code":"read_energy_since_reset","tariff":1}{"code":"initialise","n":1}"deselect"' +
    '{"code":"select","n":"{"code":"read_telegram","n":1}{"code":"read_registers","from":"0x00","to":"0x00' +
    ',"segment":2,"block":2{"code":"read_attribute","obis":"1.0.1.8.0.255","n":2}0000000000000000ffffffff' +
    '[{"label":"","try":1,"tries":1,"at":0,"answered":null,"ended":0,"sent":"","received":""}]' +
    '"},"try":1,"tries":3,"at":1,"answered":1,"ended":1,"sent":"","received":""},{"label":{"code":"read',
);
/**
 * The dictionary and a usual exchange fit; a larger window and tables cost memory and time at each call, and
 * save no byte.
 */
const options = { windowBits: 13, memLevel: 2, level: 6, chunkSize: 1024 };
const dictionaries = new Map([
  [deflatedText, textDictionary],
  [deflated, dictionary],
]);

/** Steps as stored in the exchange log. */
export function packSteps(steps: readonly LoggedStep[]): Buffer {
  const brief = steps.every(isUplinkStep) ? storableJson(steps.map(shortened)) : undefined;
  if (brief !== undefined && brief.length <= longestShort) return packed(short, Buffer.from(brief));
  const json = Buffer.from(storableJson(steps));
  return steps.length === 0
    ? packed(plain, json)
    : packed(deflated, deflateRawSync(json, { ...options, dictionary }));
}

const packed = (packing: number, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.of(packing), bytes]);

/**
 * Up to this size the short form is hardly larger than the deflated one, and takes a twentieth of the time:
 * an uplink is about 170.
 */
const longestShort = 256;

/** An uplink has one attempt, no request and no times: only label and bytes are worth storing. */
const uplinkStep = { try: 1, tries: 1, at: 0, answered: 0, ended: 0, sent: "" } as const;
type Short = readonly [label: LoggedStep["label"], received?: string, rest?: Partial<LoggedStep>];

const isUplinkStep = (step: LoggedStep): boolean =>
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
  ...uplinkStep,
  received,
  ...rest,
});

/** The reverse. Throws Error for a format unknown to this version, and zlib's errors for damaged bytes. */
export function unpackSteps(bytes: Uint8Array): LoggedStep[] {
  const [packing = -1] = bytes;
  const rest = bytes.subarray(1);
  const dictionary = dictionaries.get(packing);
  const json = dictionary ? inflateRawSync(rest, { ...options, dictionary }) : Buffer.from(rest);
  if (packing === short) return (JSON.parse(json.toString("utf8")) as Short[]).map(lengthened);
  if (packing !== plain && !dictionary)
    throw new Error(`steps are packed in a way that is not known: ${String(packing)}`);
  return JSON.parse(json.toString("utf8")) as LoggedStep[];
}
