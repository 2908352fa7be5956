import { resources, type Language } from "@metrum/vocabulary";

/** A model of any kind, as the directory lists it. */
export interface Listed {
  readonly id: number;
  readonly title: string;
  readonly brand: string;
  readonly interface_ids: readonly number[];
  /** Group of a metering device; null for gateways and base stations. */
  readonly device_group_id: number | null;
  readonly kind: "meter" | "gateway" | "base_station";
}

export interface Part {
  readonly key: string;
  readonly title: string;
  readonly models: readonly Listed[];
}

const isNamed = (search: string) => (model: Listed) =>
  `${model.brand} ${model.title}`.toLowerCase().includes(search.trim().toLowerCase());

const byName = (a: Listed, b: Listed) =>
  a.brand.localeCompare(b.brand) || a.title.localeCompare(b.title, undefined, { numeric: true });

/** Models by resource and then by interface group, sorted by name; empty parts are omitted. */
export function partsOf(
  listed: readonly Listed[],
  of: {
    readonly search: string;
    readonly language: Language;
    readonly words: Readonly<Record<"gateway" | "base_station", string>>;
  },
): readonly Part[] {
  const found = listed.filter(isNamed(of.search)).sort(byName);
  const meters = resources.map((each) => ({
    key: each.key,
    title: each.title[of.language],
    models: found.filter((model) => model.device_group_id === Number(each.deviceGroupId)),
  }));
  const carriers = (["gateway", "base_station"] as const).map((kind) => ({
    key: kind,
    title: of.words[kind],
    models: found.filter((model) => model.kind === kind),
  }));
  return [...meters, ...carriers].filter(({ models }) => models.length > 0);
}
