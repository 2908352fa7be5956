import { pointBounds } from "@metrum/contract/accounting";
import { fieldFault, problem, type FieldFault } from "@metrum/contract/core";
import type { Ctx } from "#core";
import { registerChecks, type Checked } from "./registerChecks.ts";

/** What a person says of readings that others contradict. */
export interface Confirmation {
  readonly confirm?: boolean | undefined;
  readonly confirm_reason?: string | undefined;
}

/** Why readings count whatever the others say; undefined: they are not confirmed. Problem: wrong_input. */
export function confirmedBy({ confirm, confirm_reason: reason = "" }: Confirmation): string | undefined {
  if (confirm !== true) return undefined;
  if (reason === "") throw problem("wrong_input", { attributes: { confirm_reason: ["required"] } });
  return reason;
}

/** The reason in a cell of a file; undefined: none is given. Problem: wrong_input. */
export function reasonIn(cell: unknown): string | undefined {
  const reason = typeof cell === "string" ? cell.trim() : "";
  const { reason: most } = pointBounds;
  if (reason.length > most)
    throw problem("wrong_input", { attributes: { confirm_reason: [fieldFault("text_long", { most })] } });
  return reason === "" ? undefined : reason;
}

/** Readings of a device that a person gives for an end of an interval. */
export interface Given extends Omit<Checked, "load"> {
  /** The argument that the reading of the main register was given by; without: it stands among the others. */
  readonly argument?: string | undefined;
}

/**
 * Readings that the device itself contradicts are not stored unless a person confirms them. Problem:
 * point_reading_doubted with each of them.
 */
export async function refuseDoubted(ctx: Ctx, all: readonly Given[]): Promise<void> {
  const faults: (readonly [string, FieldFault[]])[] = [];
  for (const { argument, ...of } of all) {
    if (Object.keys(of.given).length === 0) continue;
    const { checks } = await registerChecks(ctx, { ...of, load: null });
    for (const check of checks) {
      const fault = faultOf(check);
      const isMain = check.field === of.main && argument !== undefined;
      if (fault) faults.push([isMain ? argument : `${of.side}.${check.field}`, [fault]]);
    }
  }
  if (faults.length > 0) throw problem("point_reading_doubted", { attributes: Object.fromEntries(faults) });
}

type Check = Awaited<ReturnType<typeof registerChecks>>["checks"][number];

function faultOf({ verdict, given, last_value, next_value, difference }: Check): FieldFault | undefined {
  if (given === null) return undefined;
  if (verdict === "below") return fieldFault("reading_below", { before: last_value ?? 0 });
  if (verdict === "beyond") return fieldFault("reading_beyond", { after: next_value ?? 0 });
  return verdict === "above" ? fieldFault("reading_above", { grown: difference ?? 0 }) : undefined;
}
