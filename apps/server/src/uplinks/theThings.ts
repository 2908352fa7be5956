import {
  agreeingThings,
  buildThingsDown,
  parseJson,
  parseThingsTopic,
  readThings,
  thingsDownTopic,
} from "@metrum/protocols";
import type { NetworkServer } from "./delivery.ts";
import { heardOf } from "./lora.ts";

/**
 * The Things Stack v3 over MQTT. Its server is a broker itself: a bridge (mosquitto: `topic v3/# in 0 "" c12/`) brings its
 * topics below the prefix of the company, and takes orders the other way.
 */
export const theThings: NetworkServer = {
  name: "things",
  isTopic: (topic) => parseThingsTopic(topic) !== undefined,
  read(topic, body) {
    const parts = parseThingsTopic(topic);
    if (!parts) return undefined;
    const event = readThings(parseJson(new TextDecoder().decode(body)));
    return (
      event &&
      heardOf(agreeingThings(event, parts), {
        topic: thingsDownTopic(parts),
        application: parts.application,
      })
    );
  },
  order: (down) => buildThingsDown(down),
};
