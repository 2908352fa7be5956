export {
  buildChirpStackDown,
  buildChirpStackEvent,
  buildChirpStackUp,
  chirpStackDownRequest,
  parseChirpStackDown,
  type ChirpStackDown,
  type DownRequest,
} from "./build.ts";
export { parseChirpStackEvent, type ChirpStackEvent, type UpEvent } from "./events.ts";
export { loraOfChirpStack } from "./lora.ts";
export {
  chirpStackDownTopic,
  chirpStackEvents,
  formatChirpStackTopic,
  parseChirpStackTopic,
  type ChirpStackEventName,
  type ChirpStackTopic,
} from "./topic.ts";
