import type { ValidationKind } from "@metrum/contract/accounting";
import type { ResourceKey } from "@metrum/vocabulary";
import type { RulesOfDevice } from "../run/index.ts";
import type { Numbers } from "../judged/index.ts";
import { allKinds, kinds, type Kind } from "../kinds/index.ts";

/** An own rule of a company, as stored: for everything, a resource, a model or a point. */
export interface StoredRule {
  readonly id: number;
  readonly kind: ValidationKind;
  readonly resource: ResourceKey | null;
  readonly model_id: number | null;
  readonly point_id: number | null;
  readonly is_on: boolean;
  readonly parameters: Numbers;
}

/** The numbers of a kind without an own rule. */
export const usualNumbers = (kind: Kind, resource: ResourceKey): Numbers =>
  Object.fromEntries(kind.parameters.map(({ name, usual }) => [name, usual[resource] ?? usual.other]));

/** What a rule can be for. */
type Scoped = Pick<StoredRule, "kind" | "resource" | "model_id" | "point_id">;

/** What rules are looked up for; its number of levels says how specific a rule of it is. */
export interface RuleSubject {
  readonly resource: ResourceKey;
  readonly modelId: number | null;
  readonly pointIds: readonly number[];
}

export const levels = ["company", "resource", "model", "point"] as const;
export const levelOf = ({ resource, model_id, point_id }: Omit<Scoped, "kind">): (typeof levels)[number] =>
  point_id !== null ? "point" : model_id !== null ? "model" : resource !== null ? "resource" : "company";
const specificity = (rule: Scoped): number => levels.indexOf(levelOf(rule));

/** Own rules that hold for a subject, the most specific first. */
export function holdingRules<Rule extends Scoped>(
  own: readonly Rule[],
  { resource, modelId, pointIds }: RuleSubject,
): readonly Rule[] {
  return own
    .filter(
      (rule) =>
        (rule.resource === null || rule.resource === resource) &&
        (rule.model_id === null || rule.model_id === modelId) &&
        (rule.point_id === null || pointIds.includes(rule.point_id)),
    )
    .toSorted((a, b) => specificity(b) - specificity(a));
}

/** A kind with an own rule or without: whether it judges, and by which numbers. */
export function numbersOf(
  kind: Kind,
  resource: ResourceKey,
  rule: Pick<StoredRule, "is_on" | "parameters"> | undefined,
): { readonly is_on: boolean; readonly parameters: Numbers } {
  return {
    is_on: rule?.is_on ?? kind.isOnFor(resource),
    parameters: { ...usualNumbers(kind, resource), ...known(kind, rule?.parameters) },
  };
}

/** Rules that hold for a device: of the own ones of each kind the most specific, else the usual. */
export function rulesFor(own: readonly StoredRule[], device: RuleSubject): RulesOfDevice {
  const holding = holdingRules(own, device);
  return new Map(
    allKinds.flatMap((kind): (readonly [ValidationKind, Numbers])[] => {
      const rule = holding.find((each) => each.kind === kind.name);
      const { is_on, parameters } = numbersOf(kind, device.resource, rule);
      return is_on ? [[kind.name, parameters]] : [];
    }),
  );
}

/** Parameters that the kind has: stored ones of an earlier release are left out. */
function known(kind: Kind, stored: Numbers = {}): Numbers {
  return Object.fromEntries(
    Object.entries(stored).filter(([name]) => kind.parameters.some((each) => each.name === name)),
  );
}

/** Parameters out of their bounds, by name; null: the kind has no such parameter. */
export function faultsOf(
  kind: ValidationKind,
  parameters: Numbers,
): Readonly<Record<string, readonly [number, number] | null>> {
  const fields = new Map(kinds[kind].parameters.map((each) => [each.name, each]));
  const faults: Record<string, readonly [number, number] | null> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const field = fields.get(name);
    if (!field) faults[name] = null;
    else if (value < field.min || value > field.max) faults[name] = [field.min, field.max];
  }
  return faults;
}
