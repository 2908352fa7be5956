import {
  isMessageType,
  messageTypes,
  tabs as known,
  type Language,
  type ResourceKey,
  type TabKey,
} from "@metrum/vocabulary";
import type { Range } from "#ui/dateRange";
import { kindOf } from "./registry.ts";

/** Properties of a tab without readings: device and period. */
export interface OwnViewProps {
  readonly deviceId: number;
  readonly range: Range;
  readonly zone: string;
  readonly resource: ResourceKey;
}

type ModelTabs = Readonly<
  Record<string, { readonly msgTypes: readonly number[]; readonly chart_fields: readonly string[] }>
>;

const isTab = (name: string): name is TabKey => Object.hasOwn(known, name);

/** Only tabs of the model, in the order of the vocabulary; every polled device has the exchange log. */
export function tabsOf(tabs: ModelTabs): readonly TabKey[] {
  return Object.keys(known)
    .filter(isTab)
    .filter((tab) => kindOf(tab).isForAll === true || Object.hasOwn(tabs, tab));
}

/** The tab of the address if the model has it, else the first. */
export function currentTab(tabs: ModelTabs, wanted: string | null): TabKey {
  const own = tabsOf(tabs);
  return own.find((tab) => tab === wanted) ?? own[0] ?? "journal";
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
