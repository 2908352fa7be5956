export { ByteReader, ByteWriter, fromHex, toHex, type Span } from "./core/bytes.ts";
export type { Conversation, Match, Responder, Step } from "./core/conversation.ts";
export type {
  DeviceAddress,
  Driver,
  LineDriver,
  MeterState,
  PollRequest,
  UplinkDriver,
} from "./core/driver.ts";
export { ProtocolError, protocolErrorKinds, type ProtocolErrorKind } from "./core/errors.ts";
export type { Decoded, DecodedValue, Reading } from "./core/reading.ts";
