import {
  commands,
  interfaces,
  isFieldName,
  fieldOf,
  isMessageType,
  messageTypes,
  protocols,
  resourceOfGroup,
  tabs,
  units,
  type Language,
  type ProtocolKey,
} from "@metrum/vocabulary";

const isProtocol = (key: string): key is ProtocolKey => Object.hasOwn(protocols, key);

export const protocolName = (key: string): string => (isProtocol(key) ? protocols[key] : key);

export function interfaceTitles(ids: readonly number[], language: Language): string {
  return ids.flatMap((id) => interfaces.find((each) => each.id === id)?.title[language] ?? []).join(", ");
}

export interface Measured {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
}

/** Measured values of a model, worded for its resource. */
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
