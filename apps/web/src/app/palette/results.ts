import type { IconName } from "#ui/icon";

export type Group = "recent" | "commands" | "screens" | "devices" | "companies" | "users";
export const groups = ["recent", "commands", "screens", "devices", "companies", "users"] as const;

/** One line of the palette. `href` leads somewhere; `run` does something. */
export interface Entry {
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  /** What tells it from its neighbours: number, model, e-mail. */
  readonly text?: string;
  readonly icon: IconName;
  readonly href?: string;
  readonly run?: () => void;
}

/** Lines of one group that are shown at most. */
const mostPerGroup = 8;

/** Those that have every word somewhere, those that begin with it first; nothing typed leaves all. */
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

/** In the order of the groups, a few of each, nothing twice: what is recent is not repeated below. */
export function inGroups(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return groups.flatMap((group) => {
    const own = entries
      .filter((each) => each.group === group && !seen.has(keyOf(each)))
      .slice(0, mostPerGroup);
    for (const each of own) seen.add(keyOf(each));
    return own;
  });
}

const keyOf = ({ href, id }: Entry) => href ?? id;
