export { formatCache, signatureOf, splitHeads, type FormatCache } from "./compact.ts";
export { decodeWmbus } from "./decode.ts";
export { wmbus, type WmbusOptions } from "./driver.ts";
export { buildTelegram, type Security, type TelegramPlan } from "./encode.ts";
export { mbusPayload, type MbusPayloadOptions } from "./payload.ts";
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
} from "./makers/index.ts";
export type { MakersLayout } from "./makers/layout.ts";
export { wmbusName, wmbusNames, wmbusSender } from "./identity.ts";
export type { WmbusIdentity } from "./link.ts";
export { lineOfTelegram, type SimulatedReception, type LineReceiverKind } from "./receiverLines.ts";
export {
  lineReceiver,
  stickReceiver,
  telegramOfLine,
  type ReceivedTelegram,
  type Receiver,
} from "./receivers.ts";
export { readWmbus, type WmbusTelegram } from "./telegram.ts";
