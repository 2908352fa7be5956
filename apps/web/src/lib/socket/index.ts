export { deviceDataOf, deviceEventOf, type DeviceData, type DeviceEvent } from "./events.ts";
export {
  connectAfterMs,
  onSocketEvent,
  startLive,
  useConnection,
  useLive,
  useSocketEvent,
  type Connection,
  type SocketEvents,
} from "./live.ts";
