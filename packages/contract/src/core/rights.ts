import type { AccessAction } from "@metrum/vocabulary";

/** The rights of a session, as `user/access` answers them. */
export interface Access {
  readonly is_admin: boolean;
  readonly is_platform: boolean;
  readonly rules: Readonly<Record<AccessAction, readonly number[]>>;
  /** Inside an entered company, its active modules, to which rights are limited; else absent. */
  readonly onlyModules?: readonly number[];
}

/** A parsed rule of the mini language: "M:action", "admin", "platform", "&", "|", parentheses. */
export type Rule =
  | { readonly kind: "right"; readonly module: number; readonly action: AccessAction }
  | { readonly kind: "admin" }
  | { readonly kind: "platform" }
  | { readonly kind: "all" | "any"; readonly of: readonly Rule[] };

const cache = new Map<string, Rule>();

/** Parses a rule. Throws Error on an invalid rule: an error of the contract, found at start. */
export function parseRule(text: string): Rule {
  const known = cache.get(text);
  if (known) return known;
  const tokens = text.match(/\d+:[a-z_]+|admin|platform|[()&|]/g) ?? [];
  if (tokens.join("") !== text.replaceAll(" ", "") || tokens.length === 0)
    throw new Error(`not a rule: ${text}`);
  let at = 0;

  const group = (operator: "&" | "|", kind: "all" | "any", part: () => Rule): Rule => {
    const parts = [part()];
    while (tokens[at] === operator) {
      at += 1;
      parts.push(part());
    }
    const [first] = parts;
    return first && parts.length === 1 ? first : { kind, of: parts };
  };
  const any = (): Rule => group("|", "any", all);
  const all = (): Rule => group("&", "all", single);
  const single = (): Rule => {
    const token = tokens[at++];
    if (token === "(") {
      const inside = any();
      if (tokens[at++] !== ")") throw new Error(`not a rule: ${text}`);
      return inside;
    }
    if (token === "admin" || token === "platform") return { kind: token };
    const [module, action] = (token ?? "").split(":");
    if (!module || !isAction(action)) throw new Error(`not a rule: ${text}`);
    return { kind: "right", module: Number(module), action };
  };

  const rule = any();
  if (at !== tokens.length) throw new Error(`not a rule: ${text}`);
  cache.set(text, rule);
  return rule;
}

/** Whether these rights satisfy the rule. An admin passes every module rule; null requires nothing. */
export function allows(rule: string | null | undefined, access: Access): boolean {
  return rule === null || rule === undefined || evaluate(parseRule(rule), access);
}

function evaluate(rule: Rule, access: Access): boolean {
  switch (rule.kind) {
    case "right":
      return (
        (access.is_admin || access.rules[rule.action].includes(rule.module)) &&
        (access.onlyModules?.includes(rule.module) ?? true)
      );
    case "admin":
      return access.is_admin;
    case "platform":
      return access.is_platform;
    case "all":
      return rule.of.every((each) => evaluate(each, access));
    case "any":
      return rule.of.some((each) => evaluate(each, access));
  }
}

function isAction(text: string | undefined): text is AccessAction {
  return (
    text === "create" || text === "read" || text === "update" || text === "delete" || text === "access_all"
  );
}
