import { parseJson } from "@metrum/protocols/core";
import {
  agreeingThings,
  buildThingsDown,
  parseThingsTopic,
  readThings,
  thingsDownTopic,
} from "@metrum/protocols/thethings";
import type { NetworkServer } from "../../uplink.ts";
import { uplinkOf } from "./lora.ts";

/** A shared instance: creating one is expensive. */
const utf8 = new TextDecoder();

/**
 * The Things Stack v3 over MQTT. Its server is a broker itself: the platform connects to it
 * (`connections.ts`), or a bridge (mosquitto: `topic v3/# in 0 "" c12/`) republishes its topics below the
 * prefix of the company, and forwards downlinks in the other direction.
 */
export const theThings: NetworkServer = {
  name: "things",
  isTopic: (topic) => parseThingsTopic(topic) !== undefined,
  read(topic, body) {
    const parts = parseThingsTopic(topic);
    if (!parts) return undefined;
    const event = readThings(parseJson(utf8.decode(body)));
    return (
      event &&
      uplinkOf(agreeingThings(event, parts), {
        topic: thingsDownTopic(parts),
        application: parts.application,
      })
    );
  },
  order: (down) => buildThingsDown(down),
};
