import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { parseChirpStackTopic } from "@metrum/protocols/chirpstack";
import { parseJson, type FuzzTarget, type Reading } from "@metrum/protocols/core";
import { parseThingsTopic } from "@metrum/protocols/thethings";
import { archiveOf, bookOf, formatted, sheetXml } from "../books.ts";
import { readSheet } from "../../core/sheets/read/readSheet.ts";
import { limitPackets } from "../../headend/channels/mqtt/packetLimit.ts";
import { noiseFilter } from "../../headend/channels/modems/identity.ts";
import { readModemMetadata } from "../../headend/channels/modems/modemMetadata.ts";
import { modemProfile, type ProfileOptions } from "../../headend/channels/modems/profiles.ts";
import { mapAnswer } from "../../metering/codecs/mapping.ts";
import { parseReadings } from "../../metering/imports/parse.ts";
import { matchTopic, readMapped } from "../../headend/mappings/read.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const id = "350000000000017";

/** Modem profiles with their registration, which is repeated in front of data. */
const profiles: readonly (readonly [name: string, options: ProfileOptions, said: readonly string[]])[] = [
  ["imei", {}, [id, `IMEI:${id}\r\n`, `TYPE=ATM21;RSSI=-71;${id}\n\x01\x03\x04\x00`, `+CSQ: 21,0 ${id}\0`]],
  ["iccid", {}, [`8970199912345678901${id}`, "ICCID 89701999123456789012\r\n"]],
  ["line", { prefix: "LOGIN:", heartbeat: "PING {id}\r\n|\xfe" }, ["LOGIN: m-17 \nPING m-17\r\n\xfe\x68"]],
  ["text", { length: "12", greeting: "OK {id}" }, ["METRUM000017\x01\x03"]],
  ["hex", { length: "8", packet: "{id}" }, ["\x01\x02\x03\x04\x05\x06\x07\x08\x68\x0b\x0b\x68"]],
  ["pattern", { match: "#([A-Z0-9]+)#" }, ["hello #A17# data", "##A17#"]],
];

/**
 * Feeds the identity of a connection byte by byte, then the following bytes with heartbeats removed, in two
 * chunks.
 */
function dialIn(name: string, options: ProfileOptions, bytes: Uint8Array): unknown {
  const profile = modemProfile(name, options);
  const first = bytes.subarray(0, 256);
  for (const length of [1, first.length >> 1, first.length]) profile.identify(first.subarray(0, length));
  const metadata = readModemMetadata(first);
  const identity = profile.identify(first);
  const known = identity.state === "known" ? identity : { id, length: 0 };
  const rest = bytes.subarray(known.length);
  const filter = noiseFilter(profile.noise(known.id));
  const half = rest.length >> 1;
  const kept = [filter.push(rest.subarray(0, half)), filter.push(rest.subarray(half)), filter.flush()];
  if (kept.reduce((sum, each) => sum + each.length, 0) > rest.length) throw new Error("bytes were added");
  return [metadata, profile.greeting?.(known.id), kept];
}

const definition = {
  topic: "plant/+/m-{device}/state",
  device_path: "data.name",
  time: { path: "at", format: "iso" as const },
  values: [
    { path: "data.energy[0].kwh", field: "tariff0", factor: 1000 },
    { path: "data.u", field: "voltage1", factor: 0.1 },
    { path: "on", field: "in1" },
  ],
};
const { device_path: _, ...byTopic } = {
  ...definition,
  time: { path: "ms", format: "milliseconds" as const },
};

const messages = [
  `{"at":"2026-11-22T05:00:00Z","ms":1795323600000,"on":true,"data":{"name":"A-7","energy":[{"kwh":"12.5"}],"u":2301}}`,
  `{"at":"2026-11-22T05:00:00+08:00","ms":1795323600000.5,"data":{"name":7,"energy":[{"kwh":1e300}],"u":null}}`,
];

/** Asserts that stored values are numbers. Errors: Error for one that is not. */
function checked(readings: readonly Pick<Reading, "at" | "values">[]): void {
  for (const { at, values } of readings)
    for (const value of [at, ...Object.values(values)])
      if (value !== null && !Number.isFinite(value)) throw new Error(`${String(value)} came out`);
}

const answers = [
  `{"tariff0":12.5,"time":1795323600,"port1":{"value":3,"state":true},"name":"x"}`,
  `[{"pulses":7,"time":"2026-11-22T05:00:00Z"},{"pulses":null,"time":1795323600000}]`,
];

const topics = [
  "c1/application/app-1/device/0102030405060708/event/up",
  "c1/v3/app1@tenant/devices/d1/down/ack",
  "plant/7/m-A-7/state",
];

const files = [
  `deviceID;time;msgType;tariff0;voltage1\r\n12345678;1795323600;1;12,5;\r\n"1;2";2026-11-22T05:00:00Z;1;'7;2,3e2\r\n`,
  `device_id,time,in1\n7,2026-11-22 05:00:00+08:00,5.5\n`,
  `{"readings":[{"deviceID":"12345678","time":1795323600,"values":{"in1":5.5}}]}`,
];

const register = [
  ["Serial", "Read at", "Value"],
  ["M-1", formatted(46_000.5, "yyyy-mm-dd hh:mm"), 12.5],
  [null, formatted(123, "00000"), true],
];
const row = `<row r="1"><c r="A1" t="inlineStr"><is><t>M-1</t></is></c><c r="B1" s="1"><v>7</v></c></row>`;
/** Workbooks of each format, and one whose parts are not packed, so that changes reach the XML. */
const workbooks = [
  bookOf(register, { merges: ["A2:A3"] }),
  bookOf(register, { type: "biff8" }),
  bookOf(register, { type: "ods" }),
  archiveOf(sheetXml(row + row.replaceAll("1", "2")), {}, 0),
  bytesOf(`sep=;\r\n"Serial";Value\r\n"M-1" ;"12,5"\r\n`),
];
const tableLimits = { rows: 1_000, columns: 90, textLength: 1_000_000 };

/** CONNECT and PUBLISH of MQTT 3.1.1, and a length of four bytes. */
const packets = [
  "\x10\x12\x00\x04MQTT\x04\x02\x00\x3c\x00\x04m-17\x00\x00",
  "\x32\x0c\x00\x04c1/a\x00\x01hello\xc0\x00",
  "\x30\xff\xff\xff\x7f",
];

/** A socket that only receives: nothing is connected. */
function packetLengths(bytes: Uint8Array): unknown {
  const socket = new Socket();
  limitPackets(socket);
  EventEmitter.prototype.emit.call(socket, "data", bytes);
  return socket.destroy();
}

/**
 * Parsers of external bytes in the server itself, outside the protocols: identities and heartbeats of modems,
 * mappings, files, topics, MQTT lengths.
 */
export const serverFuzz: readonly FuzzTarget[] = [
  ...profiles.map(([name, options, said]): FuzzTarget => ({
    name: `dial-in-${name}`,
    seeds: said.map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0))),
    decode: (bytes) => dialIn(name, options, bytes),
  })),
  {
    name: "mapping",
    seeds: messages.map(bytesOf),
    decode(bytes) {
      const of = (bytes.at(-1) ?? 0) % 2 === 0 ? byTopic : definition;
      checked([readMapped(of, "plant/7/m-A-7/state", bytes).reading]);
    },
  },
  {
    name: "topics",
    seeds: topics.map(bytesOf),
    decode(bytes) {
      const topic = textOf(bytes);
      return [matchTopic(definition.topic, topic), parseChirpStackTopic(topic), parseThingsTopic(topic)];
    },
  },
  {
    name: "codec-answer",
    seeds: answers.map(bytesOf),
    decode(bytes) {
      const fieldMap = { pulses: { name: "in1", unit: "pulses" }, "port1.value": { name: "in2", unit: "" } };
      const impulseWeight = bytes.length % 2 === 0 ? 0.01 : 1e300;
      const scale = { impulseWeight, startingValue: 5 };
      const mapping = {
        fieldMap,
        resource: "water",
        fields: ["in1", "temperature"],
        main: "in1",
        scale,
      } as const;
      checked(mapAnswer(parseJson(textOf(bytes)), mapping).readings);
    },
  },
  {
    name: "import-file",
    seeds: files.map(bytesOf),
    decode: (bytes) => checked(parseReadings(bytes).rows),
  },
  {
    name: "workbook",
    seeds: workbooks,
    share: 0.05,
    mostMs: 1_000,
    decode: (bytes) => [...readSheet(bytes, tableLimits)],
  },
  {
    name: "mqtt-length",
    seeds: packets.map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0))),
    decode: packetLengths,
  },
];
