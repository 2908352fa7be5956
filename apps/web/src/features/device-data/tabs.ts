import { isMessageType, messageTypes, type Language } from "@metrum/vocabulary";

/** Tabs in the order of the page. The poll log is there for every device. */
export const tabOrder = [
  "tariffs",
  "instant_readings",
  "power_profiles",
  "energy_profiles",
  "archives",
  "archives_system_1",
  "archives_system_2",
  "summary_readings",
  "heat_calculating",
  "alarm",
  "info",
  "service_information",
  "journal",
] as const;
export type DataTab = (typeof tabOrder)[number];

type ModelTabs = Readonly<
  Record<string, { readonly msgTypes: readonly number[]; readonly chart_fields: readonly string[] }>
>;

/** Only what the model has; the log of polls belongs to every device that is asked. */
export function tabsOf(tabs: ModelTabs): readonly DataTab[] {
  return tabOrder.filter((tab) => tab === "journal" || Object.hasOwn(tabs, tab));
}

/** The tab of the address if the model has it, else its first. */
export function currentTab(tabs: ModelTabs, wanted: string | null): DataTab {
  const known = tabsOf(tabs);
  return known.find((tab) => tab === wanted) ?? known[0] ?? "journal";
}

/** Message types of a tab; type 1 if it names none. */
export function typesOf(tabs: ModelTabs, tab: string): readonly number[] {
  const types = tabs[tab]?.msgTypes ?? [];
  return types.length > 0 ? types : [1];
}

/** The type of the address if the tab has it, else the first: selecting a tab applies its first type. */
export function currentType(types: readonly number[], wanted: number | null): number {
  return types.find((type) => type === wanted) ?? types[0] ?? 1;
}

/** Titles of data are Russian or English (RANGE-006): in every language but Russian they are English. */
export function typeTitle(type: number, language: Language): string {
  if (!isMessageType(type)) return String(type);
  const { ru, en } = messageTypes[type].title;
  return language === "ru" ? ru : en;
}
