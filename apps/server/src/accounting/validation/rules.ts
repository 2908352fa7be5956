import type { ValidationKind } from "@metrum/contract";
import type { ResourceKey } from "@metrum/vocabulary";
import type { RulesOfDevice } from "./findings.ts";
import type { Numbers } from "./judged.ts";
import { allKinds, kinds } from "./kinds/index.ts";
import type { Kind } from "./kinds/kind.ts";

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

const specificity = ({ resource, model_id, point_id }: StoredRule): number =>
  point_id !== null ? 3 : model_id !== null ? 2 : resource !== null ? 1 : 0;

/** Rules that hold for a device: of the own ones of each kind the most specific, else the usual. */
export function rulesFor(
  own: readonly StoredRule[],
  device: { readonly resource: ResourceKey; readonly modelId: number; readonly pointIds: readonly number[] },
): RulesOfDevice {
  const isFor = (rule: StoredRule): boolean =>
    (rule.resource === null || rule.resource === device.resource) &&
    (rule.model_id === null || rule.model_id === device.modelId) &&
    (rule.point_id === null || device.pointIds.includes(rule.point_id));
  const holding = own.filter(isFor);
  return new Map(
    allKinds.flatMap((kind): (readonly [ValidationKind, Numbers])[] => {
      const rule = holding
        .filter((each) => each.kind === kind.name)
        .reduce<StoredRule | undefined>(
          (best, each) => (best === undefined || specificity(each) > specificity(best) ? each : best),
          undefined,
        );
      const isOn = rule?.is_on ?? kind.isOnFor(device.resource);
      return isOn
        ? [[kind.name, { ...usualNumbers(kind, device.resource), ...known(kind, rule?.parameters) }]]
        : [];
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
