import type { Access } from "@metrum/contract/core";

/** The part of the server's answers about a session that the web app uses for decisions. */
export interface AccessAnswer {
  readonly is_admin: boolean;
  readonly is_platform: boolean;
  readonly entered_company: boolean;
  readonly access_group: { readonly access_rules: Access["rules"] } | null;
  readonly active_modules: readonly { readonly id: number; readonly slug: string; readonly sort: number }[];
}

/** Target of a protected route. */
export type Verdict = "login" | "apiOnly" | "withoutAccess" | "allowed";

const noRules: Access["rules"] = { create: [], read: [], update: [], delete: [], access_all: [] };

/** Rights in the form the contract evaluates. */
export function rightsOf(answer: AccessAnswer): Access {
  return {
    is_admin: answer.is_admin,
    is_platform: answer.is_platform,
    rules: answer.access_group?.access_rules ?? noRules,
    ...(answer.entered_company ? { onlyModules: answer.active_modules.map((each) => each.id) } : {}),
  };
}

/** The session guard, with its checks in order. */
export function decide(
  hasToken: boolean,
  access: AccessAnswer,
  company: { readonly options: { readonly only_api: boolean } },
): Verdict {
  if (!hasToken) return "login";
  if (company.options.only_api) return "apiOnly";
  return mayEnter(access) ? "allowed" : "withoutAccess";
}

/** At least one read rule, or no group and the admin flag. */
export function mayEnter({ access_group, is_admin }: AccessAnswer): boolean {
  return access_group === null ? is_admin : access_group.access_rules.read.length > 0;
}
