export { ByteReader, ByteWriter, fromHex, toHex, type Span } from "./core/bytes.ts";
export type {
  CommandFunction,
  CommandFunctions,
  CommandResult,
  DownlinkCommand,
  DownlinkFunctions,
  ReadFunction,
} from "./core/command.ts";
export {
  isReservation,
  type Conversation,
  type Match,
  type Reservation,
  type Responder,
  type Step,
} from "./core/conversation.ts";
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
} from "./core/driver.ts";
export type { Airborne, ReceiveDownlink } from "./core/downlinks.ts";
export { obeyAlways, type DeviceOrder, type Obedience, type TakeOrder } from "./core/orders.ts";
export { atDriver } from "./at/driver.ts";
export { atFuzz } from "./at/seeds.ts";
export { modbusRouter, type RouterMap } from "./modbus/router.ts";
export { rawLine } from "./core/rawLine.ts";
export { parseJson, secondsOf } from "./core/json.ts";
export { obisName } from "./core/obisNames.ts";
export { maskByte } from "./core/masking.ts";
export { explainStretch } from "./core/spans.ts";
export { functionNames } from "./modbus/pdu.ts";
export {
  ProtocolError,
  protocolErrorKinds,
  type ProtocolErrorKind,
  type WantedField,
} from "./core/errors.ts";
export { finite, finiteReadings } from "./core/finite.ts";
export { serialOf, warningsOf, type Decoded, type DecodedValue, type Reading } from "./core/reading.ts";
export { throwsOnlyProtocolErrors, type FuzzTarget } from "./core/fuzz/fuzz.ts";
export { mutate, randomFrom } from "./core/fuzz/mutate.ts";
export { fromPulses, toPulses } from "./core/pulses.ts";
export { converse, replay } from "./core/fuzz/replay.ts";
export { buildActilityUp } from "./actility/build.ts";
export { actilityReports, readActility } from "./actility/reports.ts";
export {
  actilityDownlink,
  actilityDownPath,
  actilityTokenText,
  type ActilityDown,
} from "./actility/token.ts";
export {
  buildChirpStackDown,
  buildChirpStackEvent,
  buildChirpStackUp,
  chirpStackDownRequest,
  parseChirpStackDown,
  type ChirpStackDown,
  type DownRequest,
} from "./chirpstack/build.ts";
export { parseChirpStackEvent, type ChirpStackEvent, type UpEvent } from "./chirpstack/events.ts";
export { loraOfChirpStack } from "./chirpstack/lora.ts";
export {
  chirpStackDownTopic,
  chirpStackEvents,
  formatChirpStackTopic,
  parseChirpStackTopic,
  type ChirpStackEventName,
  type ChirpStackTopic,
} from "./chirpstack/topic.ts";
export { decodeDlmsApdu, type DlmsDecodeOptions } from "./dlms/decode/decode.ts";
export { decodeDlmsHdlc } from "./dlms/decode/decodeHdlc.ts";
export { explainDlms, explainDlmsApdu, type DlmsCarrier } from "./dlms/decode/explain.ts";
export { dlms, type DlmsDriver } from "./dlms/driver.ts";
export { hanPush } from "./dlms/push/hanPush.ts";
export type { ClockOptions } from "./dlms/objects/clock.ts";
export { readEvents, type JournalTable, type MeterEvent } from "./dlms/objects/events.ts";
export { readObjectList, readPushList, type MeterObject } from "./dlms/objects/association.ts";
export type { ProfileTable } from "./dlms/objects/profile.ts";
export type { RegisterRow as DlmsRegisterRow } from "./dlms/objects/registers.ts";
export type { Authentication as DlmsAuthentication, DlmsOptions, ServerRule } from "./dlms/options.ts";
export { dlmsFuzz } from "./dlms/seeds/seeds.ts";
export { dlmsObjectFuzz } from "./dlms/seeds/objectSeeds.ts";
export type { Session as DlmsSession } from "./dlms/session/session.ts";
export { dlmsSessionFuzz } from "./dlms/seeds/sessionSeeds.ts";
export { spodes, spodesClients, spodesReaderPassword, type SpodesOptions } from "./dlms/spodes.ts";
export { decodeIec62056 } from "./iec62056-21/decode.ts";
export { iec62056, iecLineOf } from "./iec62056-21/driver.ts";
export type { IecOptions } from "./iec62056-21/options.ts";
export type { IecClock, IecRow } from "./iec62056-21/readings.ts";
export { iec62056Fuzz } from "./iec62056-21/seeds.ts";
export { iecSessionFuzz } from "./iec62056-21/sessionSeeds.ts";
export type { IecLine } from "./iec62056-21/exchange.ts";
export {
  inProgramming as inIecProgramming,
  readValue as readIecValue,
  writeValue as writeIecValue,
  type IecAccess,
} from "./iec62056-21/programming.ts";
export { readOut as readIecOut, switchToBinary as switchIecToBinary } from "./iec62056-21/signOn.ts";
export {
  checkDown as checkLoraDown,
  downlinkOutcomes,
  type DownlinkOutcome,
  type LoraDown,
  type LoraDownlink,
  type LoraEvent,
  type LoraJoin,
  type LoraStatus,
  type LoraUp,
  type Reception,
} from "./lorawan/event.ts";
export { networkServerFuzz } from "./lorawan/seeds.ts";
export { lorawanFuzz } from "./lorawan/payloadSeeds.ts";
export { decodeTelegram, type Telegram } from "./mbus/application.ts";
export { decodeMbus, decodedValue } from "./mbus/decode.ts";
export { mbus, type MbusOptions } from "./mbus/driver.ts";
export {
  manufacturerLetters,
  manufacturerWord,
  readLongHeader,
  readShortHeader,
  statusWords,
  type ApplicationHeader,
} from "./mbus/header.ts";
export type { MbusArchive, MbusRow } from "./mbus/readings.ts";
export { decodeRecords, type MbusRecord, type RecordList } from "./mbus/records.ts";
export {
  searchMeters,
  sharedLine,
  type FoundMeter,
  type SearchOptions,
  type SearchResult,
} from "./mbus/search.ts";
export { mbusFuzz } from "./mbus/seeds.ts";
export { mbusSessionFuzz } from "./mbus/sessionSeeds.ts";
export { decodeMercury230, type MercuryExchange } from "./mercury230/decode.ts";
export { mercury230 } from "./mercury230/driver.ts";
export type { MercuryOptions } from "./mercury230/meter.ts";
export {
  readInfo as readMercuryInfo,
  readJournal as readMercuryJournal,
  readPhaseEnergy as readMercuryPhaseEnergy,
  type MercuryEvent,
  type MercuryInfo,
} from "./mercury230/reads.ts";
export { mercuryFuzz } from "./mercury230/seeds.ts";
export { mercurySessionFuzz } from "./mercury230/sessionSeeds.ts";
export { crc16 } from "./modbus/crc.ts";
export { decodeModbus, type ModbusExchange } from "./modbus/decode.ts";
export { modbus, type ModbusOptions } from "./modbus/driver.ts";
export type { ModbusVariant } from "./modbus/frame.ts";
export type { RegisterRow, RegisterTable, RegisterType, WordOrder } from "./modbus/registers.ts";
export { modbusFuzz } from "./modbus/seeds.ts";
export { modbusSessionFuzz } from "./modbus/sessionSeeds.ts";
export { channelsOf, type P1Channel } from "./p1/channels.ts";
export { decodeP1 } from "./p1/decode.ts";
export { p1, type P1Options } from "./p1/driver.ts";
export { p1Equipment } from "./p1/equipment.ts";
export { p1Fuzz } from "./p1/seeds.ts";
export { p1Stream, type P1Stream } from "./p1/stream.ts";
export { parseTelegram as parseP1Telegram, type P1Telegram } from "./p1/telegram.ts";
export { readPush, type PushedContent, type PushedItem } from "./push/readings.ts";
export { buildSenml, readSenml, type SenmlReading } from "./senml/senml.ts";
export { fromSenmlUnit } from "./senml/units.ts";
export {
  buildThings,
  buildThingsDown,
  parseThingsDown,
  parseThingsPushPath,
  thingsDownRequest,
  type ThingsWebhook,
} from "./thethings/build.ts";
export { agreeing as agreeingThings, readThings, type ThingsEvent } from "./thethings/events.ts";
export {
  formatThingsTopic,
  parseThingsTopic,
  thingsDownTopic,
  thingsEvents,
  type ThingsEventName,
  type ThingsTopic,
} from "./thethings/topic.ts";
export { vegaSi11Fuzz } from "./vega/seeds.ts";
export { vegaSi11 } from "./vega/driver.ts";
export { decodeSi11, encodeTimeCorrection, type Si11Packet } from "./vega/si11.ts";
export { formatCache, signatureOf, splitHeads, type FormatCache } from "./wmbus/compact.ts";
export { decodeWmbus } from "./wmbus/decode.ts";
export { wmbus, type WmbusOptions } from "./wmbus/driver.ts";
export { buildTelegram, type Security, type TelegramPlan } from "./wmbus/encode.ts";
export { mbusPayload, type MbusPayloadOptions } from "./wmbus/payload.ts";
export {
  apator08,
  apator162,
  bfw240,
  gwf,
  hydrodigit,
  izar,
  makersLayouts,
  techemAllocator,
  techemCompactV,
  techemRadio3,
  techemVario451,
} from "./wmbus/makers/index.ts";
export type { MakersLayout } from "./wmbus/makers/layout.ts";
export { wmbusName, wmbusNames, wmbusSender } from "./wmbus/identity.ts";
export type { WmbusIdentity } from "./wmbus/link.ts";
export { lineOfTelegram, type SimulatedReception, type LineReceiverKind } from "./wmbus/receiverLines.ts";
export {
  lineReceiver,
  stickReceiver,
  telegramOfLine,
  type ReceivedTelegram,
  type Receiver,
} from "./wmbus/receivers.ts";
export { wmbusFuzz } from "./wmbus/seeds.ts";
export { readWmbus, type WmbusTelegram } from "./wmbus/telegram.ts";
export { decodeLorawan, lorawanCodecs } from "./lorawan/builtIn.ts";
export { decentlab } from "./lorawan/decentlab.ts";
export { milesightEm300 } from "./lorawan/milesight.ts";
export { draginoLht65n, vutilityPulseDrop } from "./lorawan/smallSensors.ts";
export { yobiiqEm4301 } from "./lorawan/yobiiq.ts";
