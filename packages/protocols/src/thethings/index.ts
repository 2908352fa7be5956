export {
  buildThings,
  buildThingsDown,
  parseThingsDown,
  parseThingsPushPath,
  thingsDownRequest,
  type ThingsWebhook,
} from "./build.ts";
export { agreeing as agreeingThings, readThings, type ThingsEvent } from "./events.ts";
export {
  formatThingsTopic,
  parseThingsTopic,
  thingsDownTopic,
  thingsEvents,
  type ThingsEventName,
  type ThingsTopic,
} from "./topic.ts";
