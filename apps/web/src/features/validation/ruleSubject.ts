import type { validation, ValidationRule } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import { resources } from "@metrum/vocabulary";
import type { Picked } from "#ui/picker";

/** Resources whose values are judged. */
export const judged = resources.filter(({ mainField }) => mainField !== null);

export const levels = ["resource", "model", "point"] as const;

/** What rules are set for; a model or a point that is not chosen yet is null. */
export type Subject =
  | { readonly level: "resource"; readonly resource: (typeof judged)[number]["key"] }
  | { readonly level: "model" | "point"; readonly chosen: Picked | null };

type Key = NonNullable<InputOf<typeof validation.rules>["body"]>;

/** The subject as the calls take it; null: nothing is chosen yet. */
export function keyOfSubject(subject: Subject): Key | null {
  if (subject.level === "resource") return { resource: subject.resource };
  if (subject.chosen === null) return null;
  const id = Number(subject.chosen.id);
  return subject.level === "model" ? { model_id: id } : { point_id: id };
}

/** The model or point of an own rule; null: it is of a resource or of the company. */
export function subjectOfRule({
  model_id,
  model_title,
  point_id,
  point_name,
}: ValidationRule): Subject | null {
  if (point_id !== null)
    return { level: "point", chosen: { id: String(point_id), title: point_name ?? String(point_id) } };
  if (model_id !== null)
    return { level: "model", chosen: { id: String(model_id), title: model_title ?? String(model_id) } };
  return null;
}

/** Whether a rule holds before those of a subject: for a resource those of models and points, for a model of points. */
export function isNarrower(rule: ValidationRule, subject: Subject): boolean {
  const level = subjectOfRule(rule)?.level ?? "resource";
  return levels.indexOf(level) > levels.indexOf(subject.level);
}
