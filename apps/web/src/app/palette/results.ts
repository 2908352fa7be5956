import type { IconName } from "#ui/icon";

export const groups = [
  "recent",
  "commands",
  "screens",
  "devices",
  "gateways",
  "objects",
  "points",
  "consumers",
  "companies",
  "users",
] as const;
export type Group = (typeof groups)[number];

/** One line of the palette. `href` is a link; `run` an action. */
export interface Entry {
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  /** Distinguishes similar lines: number, model, e-mail. */
  readonly text?: string;
  readonly icon: IconName;
  readonly href?: string;
  readonly run?: () => void;
}

/** Maximum lines of a group; of those that the server finds fewer, so that the groups after it are seen. */
const most = 8;
const mostFound = 5;
const own: readonly Group[] = ["recent", "commands", "screens"];
const mostOf = (group: Group): number => (own.includes(group) ? most : mostFound);

/** Entries that contain every word, those that begin with it first; all without input. */
export function matchingEntries(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  return entries
    .filter((each) => {
      const text = `${each.title} ${each.text ?? ""}`.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => Number(begins(b, first)) - Number(begins(a, first)));
}

const begins = ({ title }: Entry, word: string) => title.toLocaleLowerCase().startsWith(word);

/** In the order of the groups, a few of each, without duplicates: recent ones are not repeated below. */
export function inGroups(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return groups.flatMap((group) => {
    const shown = entries
      .filter((each) => each.group === group && !seen.has(keyOf(each)))
      .slice(0, mostOf(group));
    for (const each of shown) seen.add(keyOf(each));
    return shown;
  });
}

const keyOf = ({ href, id }: Entry) => href ?? id;
