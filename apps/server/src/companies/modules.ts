import type { Module } from "@metrum/contract";
import { modules } from "@metrum/vocabulary";

/** Module of the companies below one's own: only dealers have it (ACL-006). */
const companiesModule = 2;

/** The modules of a new company: all that its parent has, that of companies only for a dealer. */
export function modulesFor({ isDealer }: { readonly isDealer: boolean }, ofParent = allModules()): Module[] {
  return ofParent.filter((each) => isDealer || each.id !== companiesModule);
}

function allModules(): Module[] {
  return modules.map(({ id, slug }, index) => ({ id, slug, sort: index + 1 }));
}
