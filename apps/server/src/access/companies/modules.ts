import type { Module } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { modules } from "@metrum/vocabulary";

/** Module of the companies below one's own: only dealers have it (ACL-006). */
const companiesModule = 2;

/** The modules of a new company: all that its parent has; the module of companies only for a dealer. */
export function modulesFor({ isDealer }: { readonly isDealer: boolean }, ofParent = allModules()): Module[] {
  return ofParent.filter((each) => isDealer || each.id !== companiesModule);
}

/**
 * The modules chosen by the company above, in its order. Throws wrong_input for one that the company above
 * does not have itself, for the module of companies if the company is no dealer, and for a duplicate.
 */
export function chosenModules(
  slugs: readonly string[],
  { isDealer, ofParent }: { readonly isDealer: boolean; readonly ofParent: readonly Module[] },
): Module[] {
  const allowed = new Map(modulesFor({ isDealer }, [...ofParent]).map((each) => [each.slug, each]));
  if (new Set(slugs).size !== slugs.length || slugs.some((slug) => !allowed.has(slug)))
    throw problem("wrong_input", { attributes: { active_modules: ["modules_above"] } });
  return slugs.flatMap((slug, at) => {
    const module = allowed.get(slug);
    return module ? [{ ...module, sort: at + 1 }] : [];
  });
}

/** The same modules after the company became a dealer or ceased to be one. */
export function modulesOfDealer(
  current: readonly Module[],
  { isDealer, ofParent }: { readonly isDealer: boolean; readonly ofParent: readonly Module[] },
): Module[] {
  const without = current.filter(({ id }) => id !== companiesModule);
  const added = isDealer ? ofParent.filter(({ id }) => id === companiesModule) : [];
  return [...without, ...added].map((each, at) => ({ ...each, sort: at + 1 }));
}

function allModules(): Module[] {
  return modules.map(({ id, slug }, index) => ({ id, slug, sort: index + 1 }));
}
