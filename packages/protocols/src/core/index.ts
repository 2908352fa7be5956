export { ByteReader, ByteWriter, fromHex, toHex, type Span } from "./bytes.ts";
export type {
  CommandFunction,
  CommandFunctions,
  CommandResult,
  DownlinkCommand,
  DownlinkFunctions,
  ReadFunction,
} from "./command.ts";
export {
  isReservation,
  type Conversation,
  type Match,
  type Reservation,
  type Responder,
  type Step,
} from "./conversation.ts";
export type {
  DeviceAddress,
  DeviceMetadata,
  DeviceKeys,
  Driver,
  ExplainedStep,
  IdentifyAs,
  LineDriver,
  KeptArchive,
  MeterHistory,
  MeterState,
  PollRequest,
  PulseScale,
  SpokenStep,
  RecordFormat,
  RecordFormats,
  UplinkDevice,
  UplinkDriver,
} from "./driver.ts";
export type { Airborne, ReceiveDownlink } from "./downlinks.ts";
export { obeyAlways, type DeviceOrder, type Obedience, type TakeOrder } from "./orders.ts";
export { rawLine } from "./rawLine.ts";
export { parseJson, secondsOf } from "./json.ts";
export { obisName } from "./obisNames.ts";
export { maskByte } from "./masking.ts";
export { explainStretch } from "./spans.ts";
export { ProtocolError, protocolErrorKinds, type ProtocolErrorKind, type WantedField } from "./errors.ts";
export { finite, finiteReadings } from "./finite.ts";
export { serialOf, warningsOf, type Decoded, type DecodedValue, type Reading } from "./reading.ts";
export { throwsOnlyProtocolErrors, type FuzzTarget } from "./fuzz/fuzz.ts";
export { mutate, randomFrom } from "./fuzz/mutate.ts";
export { fromPulses, toPulses } from "./pulses.ts";
export { converse, replay } from "./fuzz/replay.ts";
