import {
  buildChirpStackDown,
  chirpStackDownTopic,
  loraOfChirpStack,
  parseChirpStackEvent,
  parseChirpStackTopic,
} from "@metrum/protocols/chirpstack";
import { ProtocolError } from "@metrum/protocols/core";
import type { NetworkServer } from "../../uplink.ts";
import { uplinkOf } from "./lora.ts";

/** A shared instance: creating one is expensive. */
const utf8 = new TextDecoder();

/** ChirpStack v4 over MQTT, JSON encoding. */
export const chirpStack: NetworkServer = {
  name: "chirpstack",
  isTopic: (topic) => parseChirpStackTopic(topic) !== undefined,
  read(topic, body) {
    const parts = parseChirpStackTopic(topic);
    if (!parts) return undefined;
    const event = parseChirpStackEvent(parts.event, utf8.decode(body));
    if (event.devEui !== parts.devEui)
      throw new ProtocolError("unexpected", "topic and message name different devices");
    const lora = loraOfChirpStack(event);
    return lora && uplinkOf(lora, { topic: chirpStackDownTopic(parts), application: parts.applicationId });
  },
  // The order's reference becomes the id of its queue item.
  order: (down, devEui) => buildChirpStackDown({ ...down, devEui }),
};
