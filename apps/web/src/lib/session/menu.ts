import { allows } from "@metrum/contract/core";
import { hiddenModuleIds } from "@metrum/vocabulary";
import { rightsOf, type AccessAnswer } from "./decide.ts";

export interface MenuItem {
  readonly id: number;
  readonly slug: string;
}

const companiesModule = 2;

/** Entries of the menu: active, permitted, sorted, without duplicates; companies only for dealers. */
export function menuOf(access: AccessAnswer, isDealer: boolean): readonly MenuItem[] {
  const rights = rightsOf(access);
  const seen = new Set<string>();
  return [...access.active_modules]
    .sort((a, b) => a.sort - b.sort)
    .filter(({ id, slug }) => {
      const isShown =
        !seen.has(slug) &&
        !hiddenModuleIds.includes(id) &&
        (id !== companiesModule || isDealer) &&
        allows(`${String(id)}:read`, rights);
      if (isShown) seen.add(slug);
      return isShown;
    })
    .map(({ id, slug }) => ({ id, slug }));
}
