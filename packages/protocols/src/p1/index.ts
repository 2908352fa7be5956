export { channelsOf, type P1Channel } from "./channels.ts";
export { decodeP1 } from "./decode.ts";
export { p1, type P1Options } from "./driver.ts";
export { p1Equipment } from "./equipment.ts";
export { p1Stream, type P1Stream } from "./stream.ts";
export { parseTelegram as parseP1Telegram, type P1Telegram } from "./telegram.ts";
