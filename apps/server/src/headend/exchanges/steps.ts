import { deflateRawSync, inflateRawSync } from "node:zlib";
import { storableJson } from "#core";
import type { LoggedStep } from "./exchange.ts";

/** First byte of packed steps. Stored for years: a packing is never changed, a better one gets the next number. */
const plain = 0;
const deflated = 1;

/**
 * What most exchanges say, the commonest last: deflate refers to it instead of writing it out. Belongs to packing 1 and is never
 * edited: steps that were packed with it could not be read any more.
 */
const dictionary = Buffer.from(
  '"error":{"kind":"checksum","message":""error":{"kind":"no_line","message":"the modem is not connected"}' +
    '"error":{"kind":"unexpected","message":""error":{"kind":"timeout","message":"no answer"}' +
    '"fport":2,"heardAt":17"codec":"label":"Uplink, port "label":"Downlink, port "label":"read registers ' +
    '"label":"profile "label":"energy "label":"instant values"0000000000000000ffffffff' +
    '[{"label":"","try":1,"tries":1,"at":0,"answered":null,"ended":0,"sent":"","received":""}]' +
    '"},{"label":"","try":1,"tries":3,"at":1,"answered":1,"ended":1,"sent":"","received":"',
);
/** The dictionary and a usual exchange fit; a larger window and tables cost memory and time at each call, and save no byte. */
const options = { dictionary, windowBits: 13, memLevel: 2, level: 6, chunkSize: 1024 };

/** Steps as they rest in the exchange log. */
export function packSteps(steps: readonly LoggedStep[]): Buffer {
  const json = Buffer.from(storableJson(steps));
  if (steps.length === 0) return Buffer.concat([Buffer.of(plain), json]);
  return Buffer.concat([Buffer.of(deflated), deflateRawSync(json, options)]);
}

/** The reverse. Throws Error for a packing that this version does not know, and what zlib throws for damaged bytes. */
export function unpackSteps(packed: Uint8Array): LoggedStep[] {
  const rest = packed.subarray(1);
  const json = packed[0] === plain ? Buffer.from(rest) : inflated(packed[0], rest);
  return JSON.parse(json.toString("utf8")) as LoggedStep[];
}

function inflated(packing: number | undefined, rest: Uint8Array): Buffer {
  if (packing !== deflated)
    throw new Error(`steps are packed in a way that is not known: ${String(packing)}`);
  return inflateRawSync(rest, options);
}
