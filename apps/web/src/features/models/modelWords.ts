import {
  commands,
  interfaces,
  isFieldName,
  fieldOf,
  isMessageType,
  messageTypes,
  resourceOfGroup,
  tabs,
  units,
  type Language,
} from "@metrum/vocabulary";

/** Protocols by the names that standards and makers give them; one that is not here shows its own key. */
const protocolNames: Readonly<Record<string, string>> = {
  "modbus-rtu": "Modbus RTU",
  "modbus-tcp": "Modbus TCP",
  mbus: "M-Bus (EN 13757-2/3)",
  wmbus: "Wireless M-Bus (EN 13757-4)",
  dlms: "DLMS/COSEM",
  "iec62056-21": "IEC 62056-21",
  p1: "DSMR P1",
  mercury230: "Mercury 230 (Incotex)",
  "dlms-push": "DLMS/COSEM push",
  "mbus-payload": "LoRaWAN, M-Bus",
  lorawan: "LoRaWAN",
  "vega-si11": "LoRaWAN, Vega SI-11",
  "dragino-lht65n": "LoRaWAN, Dragino LHT65N",
  "milesight-em300": "LoRaWAN, Milesight EM300",
  "vutility-pulsedrop": "LoRaWAN, Vutility PulseDrop",
  "yobiiq-em4301": "LoRaWAN, Yobiiq EM4301",
};

export const protocolName = (key: string): string => protocolNames[key] ?? key;

export function interfaceTitles(ids: readonly number[], language: Language): string {
  return ids.flatMap((id) => interfaces.find((each) => each.id === id)?.title[language] ?? []).join(", ");
}

export interface Measured {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
}

/** What a model measures, in the words of its resource. */
export function measuredOf(
  fields: readonly string[],
  deviceGroupId: number | null,
  language: Language,
): readonly Measured[] {
  const resource = resourceOfGroup(deviceGroupId ?? 0).key;
  return fields.filter(isFieldName).map((name) => {
    const field = fieldOf(name, resource);
    return { name, title: field.title[language], unit: units[field.unit][language] };
  });
}

const isTab = (name: string): name is keyof typeof tabs => Object.hasOwn(tabs, name);

/** Tabs in the order of the data page. */
export function tabTitles(names: readonly string[], language: Language): readonly string[] {
  return Object.keys(tabs)
    .filter((name) => names.includes(name))
    .flatMap((name) => (isTab(name) ? tabs[name][language] : []));
}

export function commandTitles(keys: readonly string[], language: Language): readonly string[] {
  return keys.map((key) => commands.find((each) => each.key === key)?.title[language] ?? key);
}

export const messageTitle = (id: number, language: Language): string =>
  isMessageType(id) ? messageTypes[id].title[language] : String(id);
