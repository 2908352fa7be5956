import {
  validationBounds,
  type HoldingRule,
  type validation,
  type ValidationRule,
  type ValidationRuleKind,
} from "@metrum/contract/accounting";
import { fieldFault, problem, type ParsedOf } from "@metrum/contract/core";
import { modelById } from "@metrum/catalogue";
import { resourceOfGroup, resourceOfType, resources, type Language } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import { allKinds, kinds } from "../kinds/index.ts";
import { faultsOf, holdingRules, levelOf, numbersOf, usualNumbers, type RuleSubject } from "./rules.ts";
import { dueKinds, markDependants } from "#metering/messages";
import * as store from "./ruleStore.ts";

type Saved = ParsedOf<typeof validation.saveRule>["body"];
type Removed = ParsedOf<typeof validation.resetRule>["body"];

const keys = resources.map(({ key }) => key);

/** Kinds with their parameters and what holds without an own rule. */
export function shownKinds(language: Language): ValidationRuleKind[] {
  return allKinds.map((kind) => ({
    kind: kind.name,
    title: kind.title[language],
    about: kind.about[language],
    parameters: kind.parameters.map((each) => ({
      ...each,
      title: each.title[language],
      usual: Object.fromEntries(keys.map((key) => [key, usualNumbers(kind, key)[each.name] ?? 0])),
    })),
    is_on: Object.fromEntries(keys.map((key) => [key, kind.isOnFor(key)])),
  }));
}

const modelTitle = (id: number | null): string | null =>
  id === null ? null : (modelById(id)?.title ?? String(id));

export async function shownRules({ db, scope }: Ctx): Promise<ValidationRule[]> {
  return (await store.ownRules(db, scope)).map((rule) => ({
    ...rule,
    model_title: modelTitle(rule.model_id),
  }));
}

type Named = Omit<Removed, "kind">;

/** The own rules, and those that hold for what is named. Problems: those of `keyOf`. */
export async function rulesOfSubject(
  ctx: Ctx,
  named: Named,
): Promise<{
  rules: ValidationRule[];
  resource: RuleSubject["resource"] | null;
  holding: HoldingRule[];
}> {
  const key = await keyOf(ctx, named);
  const rules = await shownRules(ctx);
  const subject = await subjectFor(ctx, key);
  if (!subject) return { rules, resource: null, holding: [] };
  const level = levelOf(key);
  const holding = holdingRules(rules, subject);
  const shown = (kind: (typeof allKinds)[number], rule: ValidationRule | undefined) => ({
    source: rule ? levelOf(rule) : ("default" as const),
    source_title: rule?.model_title ?? null,
    ...numbersOf(kind, subject.resource, rule),
  });
  return {
    rules,
    resource: subject.resource,
    holding: allKinds.map((kind) => {
      const chain = holding.filter((rule) => rule.kind === kind.name);
      const own = chain.find((rule) => levelOf(rule) === level);
      const inherited = shown(
        kind,
        chain.find((rule) => rule !== own),
      );
      return {
        kind: kind.name,
        is_own: own !== undefined,
        ...(own ? shown(kind, own) : inherited),
        inherited,
      };
    }),
  };
}

/** What is judged by the rules of a key: a point by those of the device that measures it now. */
async function subjectFor({ db, clock }: Ctx, key: Subject): Promise<RuleSubject | undefined> {
  if (key.point_id !== null) {
    const { resource_type_id, model_id, device_group_id } = await store.measuredBy(
      db,
      key.point_id,
      clock.now(),
    );
    const { key: resource } =
      device_group_id === null ? resourceOfType(resource_type_id) : resourceOfGroup(device_group_id);
    return { resource, modelId: model_id, pointIds: [key.point_id] };
  }
  const model = key.model_id === null ? undefined : modelById(key.model_id);
  if (model?.kind === "meter") return { resource: model.resource, modelId: model.id, pointIds: [] };
  return key.resource === null ? undefined : { resource: key.resource, modelId: null, pointIds: [] };
}

type Subject = Omit<store.RuleKey, "kind">;

/** Problems: not_found for a foreign point, wrong_input for more than one scope and for a model that is no meter. */
async function keyOf(ctx: Ctx, { resource, model_id, point_id }: Named): Promise<Subject> {
  const given = { resource, model_id, point_id };
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  if (named.length > 1)
    throw problem("wrong_input", {
      attributes: Object.fromEntries(named.map(([name]) => [name, [fieldFault("wrong")]])),
    });
  if (model_id !== undefined && model_id !== null && modelById(model_id)?.kind !== "meter")
    throw problem("wrong_input", { attributes: { model_id: [fieldFault("unknown_model")] } });
  return {
    resource: resource ?? null,
    model_id: model_id ?? null,
    point_id:
      point_id === undefined || point_id === null ? null : await resolveOne(ctx, "accountingPoint", point_id),
  };
}

const subjectOf = ({ kind, resource, model_id, point_id }: store.RuleKey): string =>
  [
    `rule ${kind}`,
    ...(resource === null ? [] : [`resource ${resource}`]),
    ...(model_id === null ? [] : [`model ${String(model_id)}`]),
    ...(point_id === null ? [] : [`accounting point ${String(point_id)}`]),
  ].join(", ");

/** Who is tied to a part of the company sets the rules of its points only. Problem: tied_devices_only. */
function refuseWider({ scope }: Ctx, { point_id }: Subject): void {
  if (scope.onlyTiedDevices && point_id === null) throw problem("tied_devices_only");
}

/** Problems: not_found, tied_devices_only, wrong_input with each parameter out of its bounds, rule_limit. */
export async function saveOwnRule(ctx: Ctx, body: Saved): Promise<void> {
  const { db, scope } = ctx;
  const key = { kind: body.kind, ...(await keyOf(ctx, body)) };
  refuseWider(ctx, key);
  checkParameters(body);
  const before = await store.ruleOf(db, scope, key);
  if (!before && (await store.countRules(db, scope)) >= validationBounds.rules)
    throw problem("rule_limit", { params: { max: validationBounds.rules } });
  const after = { is_on: body.is_on, parameters: body.parameters };
  await store.saveRule(db, scope, { ...key, ...after });
  await judgeAgain(ctx, key);
  await record(ctx, { action: "validation.rule", subject: subjectOf(key), before, after });
}

/** What the rule has found is judged by its new numbers; other values when they change. */
async function judgeAgain({ db, scope }: Ctx, key: store.RuleKey): Promise<void> {
  const doubted = await store.devicesInDoubt(db, scope, key);
  await markDependants(
    db,
    dueKinds.validation,
    doubted.map(({ device_id, from_ts, to_ts }) => ({ deviceId: device_id, from: from_ts, to: to_ts })),
  );
}

function checkParameters({ kind, parameters }: Saved): void {
  const faults = Object.entries(faultsOf(kind, parameters));
  if (faults.length === 0) return;
  throw problem("wrong_input", {
    attributes: Object.fromEntries(
      faults.map(([name, bounds]) => [
        `parameters.${name}`,
        [bounds ? `${String(bounds[0])} – ${String(bounds[1])}` : fieldFault("unknown_field")],
      ]),
    ),
  });
}

/** The next wider rule, or the default, holds again. Problems: not_found, tied_devices_only. */
export async function resetOwnRule(ctx: Ctx, body: Removed): Promise<void> {
  const { db, scope } = ctx;
  const key = { kind: body.kind, ...(await keyOf(ctx, body)) };
  refuseWider(ctx, key);
  const before = await store.ruleOf(db, scope, key);
  if (!before) return;
  await store.removeRule(db, scope, key);
  await judgeAgain(ctx, key);
  await record(ctx, {
    action: "validation.rule",
    subject: subjectOf(key),
    before,
    after: { title: kinds[key.kind].title.en },
  });
}
