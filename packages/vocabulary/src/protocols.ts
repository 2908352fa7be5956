/**
 * Protocols and payload formats by the names of standards and manufacturers, which are the same in every
 * language.
 */
export const protocols = {
  "modbus-rtu": "Modbus RTU",
  "modbus-tcp": "Modbus TCP",
  at: "AT (3GPP TS 27.007)",
  raw: "RAW",
  mbus: "M-Bus (EN 13757-2/3)",
  wmbus: "Wireless M-Bus (EN 13757-4)",
  dlms: "DLMS/COSEM",
  "iec62056-21": "IEC 62056-21",
  p1: "DSMR P1",
  mercury230: "Mercury 230 (Incotex)",
  "dlms-push": "DLMS/COSEM push",
  "mbus-payload": "LoRaWAN, M-Bus",
  "vega-si11": "LoRaWAN, Vega SI-11",
  "decentlab-dl-dlr2-002": "LoRaWAN, Decentlab DL-DLR2-002",
  "decentlab-dl-dlr2-010": "LoRaWAN, Decentlab DL-DLR2-010",
  "decentlab-dl-ds18": "LoRaWAN, Decentlab DL-DS18",
  "decentlab-dl-rhc": "LoRaWAN, Decentlab DL-RHC",
  "dragino-lht65n": "LoRaWAN, Dragino LHT65N",
  "milesight-em300": "LoRaWAN, Milesight EM300",
  "vutility-pulsedrop": "LoRaWAN, Vutility PulseDrop",
  "yobiiq-em4301": "LoRaWAN, Yobiiq EM4301",
} as const satisfies Record<string, string>;

/** Name of a driver's protocol; a driver without an entry does not compile. */
export type ProtocolKey = keyof typeof protocols;
