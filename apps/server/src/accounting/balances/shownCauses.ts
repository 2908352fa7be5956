import type { BalanceCause } from "@metrum/contract/accounting";
import { amountDecimals, type Language } from "@metrum/vocabulary";
import { dayText, numberText, roundedTo } from "#core";
import type { Cause } from "./causes.ts";
import type { Found } from "./evidence.ts";
import { grossOf, sumOf, transformerFor, type Ratio } from "./fit.ts";
import { dateText, said, type SentenceCode, type SentenceParams } from "./words.ts";

interface Of {
  readonly first: number;
  readonly imbalance: number;
  readonly unit: string;
  readonly language: Language;
}

const rounded = (value: number): number => roundedTo(value, 3);

/** The causes as the view shows them, the largest first. */
export function shownCauses(found: Found, of: Of): BalanceCause[] {
  return found.causes.map((cause) => {
    const phase = phaseOf(cause, found);
    const kind = phase === undefined ? cause.kind : "phase";
    const day = dayText(of.first + (found.days[cause.since] ?? 0));
    const params = paramsOf(cause, { ...of, day, phase: phase ?? "" });
    const amount = rounded(sumOf(cause.explained));
    return {
      kind,
      ...subjectOf(cause, of.language),
      amount,
      share: of.imbalance === 0 ? null : rounded((amount / of.imbalance) * 100),
      severity: severityOf(cause),
      text: said(sentenceOf(kind, cause.since), of.language, params),
      action: actionOf(kind),
      params,
    };
  });
}

/** The sentence of what is left of an imbalance. */
export function restCode(isWithin: boolean, causes: readonly Pick<BalanceCause, "amount">[]): SentenceCode {
  if (isWithin) return "rest_within";
  return causes.some(({ amount }) => amount !== 0) ? "rest_unexplained" : "rest_beyond";
}

/** A phase that the device of a cause shows as missing: it counts too little. */
function phaseOf({ kind, point, factor }: Cause, { phases }: Found): string | undefined {
  if (kind === "replacement" || factor <= 0 || !point || point.role === "in") return undefined;
  return point.device_id === null ? undefined : phases.get(point.device_id);
}

function subjectOf({ point, outside }: Cause, language: Language) {
  if (point) return { point_id: point.point_id, device_id: point.device_id, name: point.name };
  if (!outside) return { point_id: null, device_id: null, name: said("losses_name", language) };
  return {
    point_id: outside.kind === "point" ? outside.id : null,
    device_id: outside.kind === "device" ? outside.id : null,
    name: outside.name,
  };
}

const severityOf = ({ isSure, kind, outside }: Cause): BalanceCause["severity"] =>
  isSure && kind !== "losses" && outside?.values !== null ? "alarm" : "warn";

const sentenceOf = (kind: BalanceCause["kind"], since: number): SentenceCode =>
  kind === "ratio" && since > 0 ? "ratio_since" : kind;

function actionOf(kind: BalanceCause["kind"]): BalanceCause["action"] {
  if (kind === "phase") return "readings";
  if (kind === "shift") return "device";
  if (kind === "missing_point" || kind === "missing_device" || kind === "losses") return "group";
  return kind === "estimated" ? "request" : "point";
}

type Said = Of & { readonly day: string; readonly phase: string };

function paramsOf(
  cause: Cause,
  { day, phase, unit, language }: Said,
): SentenceParams & Record<string, string> {
  const number = (value: number, decimals = 1) => numberText(value, language, decimals);
  const { factor, explained, point } = cause;
  const proposed = point && (transformerFor(factor, point.ratio) ?? scaled(point.ratio, factor));
  return {
    day: dateText(day),
    phase,
    percent: number((Math.abs(factor) / (cause.kind === "losses" ? 1 : 1 + factor)) * 100),
    times: number(1 + factor, 2),
    present: point ? ratioText(point.ratio, language) : "",
    proposed: proposed ? ratioText(proposed, language) : "",
    hours: number(Math.abs(factor) * 24),
    moved: `${number(grossOf(explained) / 2, amountDecimals)} ${unit}`,
    direction: said(factor > 0 ? "ahead" : "behind", language),
    amount: `${number(grossOf(point?.estimated ?? []), amountDecimals)} ${unit}`,
  };
}

const scaled = ({ primary, secondary }: Ratio, factor: number): Ratio => ({
  primary: primary * (1 + factor),
  secondary,
});

/** 100/5. */
const ratioText = ({ primary, secondary }: Ratio, language: Language): string =>
  [primary, secondary]
    .map((each) => numberText(each, language, Math.abs(each - Math.round(each)) < 0.05 ? 0 : 1))
    .join("/");
