import type { AccessRules } from "@metrum/contract/access";
import type { Access } from "@metrum/contract/core";
import { accessActions, modules, type AccessAction, type Language } from "@metrum/vocabulary";

/** Number of groups to show: administrators are a group too, which the server does not list. */
export const withAdministrators = (listed: number): number => listed + 1;

/** Order of the columns: reading comes first, all other actions require it. */
export const shownActions = [
  "read",
  "create",
  "update",
  "delete",
  "access_all",
] as const satisfies readonly AccessAction[];

/** Rights not used by any rule: ticking them would have no effect. */
const unused: ReadonlySet<string> = new Set([
  "5:create",
  "5:delete",
  "5:access_all",
  "7:access_all",
  "8:access_all",
  "1:access_all",
  "2:access_all",
]);

export interface ModuleRow {
  readonly id: number;
  /** Key of its text: "4" has `users:module.4`. */
  readonly slug: string;
  readonly title: string;
}

/** Modules that can be granted: each once, companies only if there are some below. */
export function moduleRows(language: Language, isDealer: boolean): readonly ModuleRow[] {
  const rows = new Map<number, ModuleRow>();
  for (const { id, slug, title } of modules) {
    if (id === 3 || id === 9 || (id === 2 && !isDealer)) continue;
    const known = rows.get(id);
    rows.set(
      id,
      known
        ? { ...known, title: `${known.title}, ${title[language].toLowerCase()}` }
        : { id, slug, title: title[language] },
    );
  }
  return [...rows.values()];
}

export const isUsed = (module: number, action: AccessAction): boolean =>
  !unused.has(`${String(module)}:${action}`);

export const has = (rules: AccessRules, module: number, action: AccessAction): boolean =>
  rules[action].includes(module);

/** The rules with one tick set or cleared. Any action implies reading; without reading there is none. */
export function withTick(
  rules: AccessRules,
  {
    module,
    action,
    isOn,
  }: { readonly module: number; readonly action: AccessAction; readonly isOn: boolean },
): AccessRules {
  if (action === "read" && !isOn) return withRow(rules, module, []);
  const actions = shownActions.filter((each) => (each === action ? isOn : has(rules, module, each)));
  return withRow(rules, module, isOn && !actions.includes("read") ? ["read", ...actions] : actions);
}

/** The rules with exactly these actions of a module. */
export function withRow(rules: AccessRules, module: number, actions: readonly AccessAction[]): AccessRules {
  const of = (action: AccessAction): number[] =>
    [...rules[action].filter((id) => id !== module), ...(actions.includes(action) ? [module] : [])].toSorted(
      (a, b) => a - b,
    );
  return {
    create: of("create"),
    read: of("read"),
    update: of("update"),
    delete: of("delete"),
    access_all: of("access_all"),
  };
}

/** Ticks that differ, as "module:action". */
export function changedTicks(before: AccessRules, after: AccessRules): ReadonlySet<string> {
  const ticks = (rules: AccessRules) =>
    accessActions.flatMap((action) => rules[action].map((id) => `${String(id)}:${action}`));
  const [had, has] = [new Set(ticks(before)), new Set(ticks(after))];
  return new Set([...had, ...has].filter((each) => had.has(each) !== has.has(each)));
}

/** Number of modules that a group can open. */
export const openModules = (rules: AccessRules): number =>
  new Set(rules.read.filter((id) => id !== 3 && id !== 9)).size;

/** The rights of a user of a group, in the form the contract evaluates. */
export function accessOf(rules: AccessRules): Access {
  return { is_admin: false, is_platform: false, rules };
}
