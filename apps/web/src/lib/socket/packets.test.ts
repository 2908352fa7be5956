import { expect, it } from "vitest";
import { packetOf } from "./packets.ts";

it.each([
  [
    '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":16384}',
    { kind: "opened", silenceMs: 45_000 },
  ],
  ["2", { kind: "ping" }],
  ['40{"sid":"b"}', { kind: "admitted" }],
  ['44{"message":"not_signed_in"}', { kind: "refused", reason: "not_signed_in" }],
  ["41", { kind: "closed" }],
  ["1", { kind: "closed" }],
  ['42["device_event",{"msg":"7 [x]"}]', { kind: "event", name: "device_event", payload: { msg: "7 [x]" } }],
  ['430[{"joined":true}]', { kind: "answer", answer: { joined: true } }],
  ["6", null],
  ['451-["device_data",{"_placeholder":true,"num":0}]', null],
  ["", null],
])("%s of the server is read", (text, packet) => {
  expect(packetOf(text)).toEqual(packet);
});
