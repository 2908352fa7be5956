export { vegaSi11 } from "./driver.ts";
export { decodeSi11, encodeTimeCorrection, type Si11Packet } from "./si11.ts";
