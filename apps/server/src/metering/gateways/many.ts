import type { AuditAction } from "@metrum/contract/access";
import { allows, problem } from "@metrum/contract/core";
import {
  carrierChanges,
  type CarrierAction,
  type CarrierChanged,
  type CarrierFault,
} from "@metrum/contract/metering";
import { recordEach, withMessage, type Ctx } from "#core";

/** A gateway or base station that a change of many concerns. */
export interface Carrier<Id extends number> {
  readonly id: Id;
  readonly name: string;
  readonly device_id: string;
  readonly isActive: boolean;
  readonly isArchived: boolean;
  readonly isDeleted: boolean;
}

/** Columns that such a change sets. */
export interface CarrierColumns {
  readonly is_active?: boolean;
  readonly is_archived?: boolean;
  readonly deleted_at?: Date | null;
}

/** What a change of many needs to know of gateways, or of base stations. */
export interface CarrierKind<Id extends number> {
  readonly subjectOf: (id: Id) => string;
  readonly actions: Readonly<Record<"switch" | "archive" | "trash" | "restore", AuditAction>>;
  /** Those with these ids, locked until the transaction ends. */
  readonly lock: (ctx: Ctx, ids: readonly Id[]) => Promise<readonly Carrier<Id>[]>;
  readonly withDevicesOfOthers: (ctx: Ctx, ids: readonly Id[]) => Promise<ReadonlySet<Id>>;
  /** Those of these numbers that one outside the trash has; an empty number is never taken. */
  readonly takenNumbers: (ctx: Ctx, numbers: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly put: (ctx: Ctx, changed: readonly Carrier<Id>[], columns: CarrierColumns) => Promise<void>;
}

interface Outcome {
  readonly count: number;
  readonly refused: ReadonlyMap<CarrierFault, number>;
}

interface Change {
  readonly of: keyof CarrierKind<number>["actions"];
  readonly columns: (at: Date) => CarrierColumns;
  readonly isDone: (carrier: Carrier<number>) => boolean;
}

const switching = (is_active: boolean): Change => ({
  of: "switch",
  columns: () => ({ is_active }),
  isDone: ({ isActive }) => isActive === is_active,
});
const archiving = (is_archived: boolean): Change => ({
  of: "archive",
  columns: () => ({ is_archived }),
  isDone: ({ isArchived }) => isArchived === is_archived,
});

const changes: Readonly<Record<CarrierAction, Change>> = {
  switch_on: switching(true),
  switch_off: switching(false),
  archive: archiving(true),
  unarchive: archiving(false),
  trash: { of: "trash", columns: (deleted_at) => ({ deleted_at }), isDone: ({ isDeleted }) => isDeleted },
  restore: { of: "restore", columns: () => ({ deleted_at: null }), isDone: ({ isDeleted }) => !isDeleted },
};

/**
 * Makes one change to many gateways or base stations of the session in a few statements, whatever their number.
 * Throws right_missing.
 */
export async function changeCarriers<Id extends number>(
  ctx: Ctx,
  kind: CarrierKind<Id>,
  ids: readonly Id[],
  action: CarrierAction,
): Promise<Outcome> {
  if (!allows(carrierChanges[action], ctx.scope.access)) throw problem("right_missing");
  const { of, columns, isDone } = changes[action];
  const locked = await kind.lock(ctx, ids);
  const faults = await faultsOf(ctx, kind, locked, changes[action]);
  const changed = locked.filter((each) => !faults.has(each.id) && !isDone(each));
  if (changed.length > 0) await put(ctx, kind, changed, { action: kind.actions[of], columns });
  const refused = new Map<CarrierFault, number>();
  for (const fault of faults.values()) refused.set(fault, (refused.get(fault) ?? 0) + 1);
  return { count: changed.length, refused };
}

/** The outcome as sent to clients, with its message. */
export function changedCarriers({ count, refused }: Outcome) {
  const left = [...refused.values()].reduce((sum, each) => sum + each, 0);
  const reply: CarrierChanged = {
    changed_count: count,
    refused: [...refused].map(([reason, each]) => ({ reason, count: each })),
  };
  return left === 0
    ? withMessage(reply, "carriers_changed", { count })
    : withMessage(reply, "carriers_changed_partly", { count, refused: left });
}

async function put<Id extends number>(
  ctx: Ctx,
  kind: CarrierKind<Id>,
  changed: readonly Carrier<Id>[],
  { action, columns }: { readonly action: AuditAction; readonly columns: Change["columns"] },
): Promise<void> {
  const values = columns(new Date(ctx.clock.nowMs()));
  const { deleted_at: _, ...noted } = values;
  await kind.put(ctx, changed, values);
  await recordEach(
    ctx,
    action,
    changed.map(({ id, name, device_id }) => ({
      subject: kind.subjectOf(id),
      after: { name, device_id, ...noted },
    })),
  );
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
}

/** Why some may not be changed, as the call for one would say; those that are as wanted may be refused too. */
async function faultsOf<Id extends number>(
  ctx: Ctx,
  kind: CarrierKind<Id>,
  carriers: readonly Carrier<Id>[],
  { of, isDone }: Change,
): Promise<ReadonlyMap<Id, CarrierFault>> {
  const numbers = carriers.filter((each) => !isDone(each)).map(({ device_id }) => device_id);
  const taken = new Set(of === "restore" ? await kind.takenNumbers(ctx, numbers) : []);
  const others = await kind.withDevicesOfOthers(
    ctx,
    carriers.map(({ id }) => id),
  );
  const faults = new Map<Id, CarrierFault>();
  for (const carrier of carriers) {
    const { id, device_id } = carrier;
    const fault = others.has(id) ? "tied_devices_only" : putAwayFault(carrier, of);
    if (fault) faults.set(id, fault);
    else if (of !== "restore" || isDone(carrier)) continue;
    else if (taken.has(device_id)) faults.set(id, "identifier_taken");
    // Of several in the trash with one number, the first gets it.
    else if (device_id !== "") taken.add(device_id);
  }
  return faults;
}

/** What is in the trash only leaves it, and what is in the archive is not switched. */
function putAwayFault(
  { isDeleted, isArchived }: Carrier<number>,
  of: Change["of"],
): CarrierFault | undefined {
  if (of === "trash" || of === "restore") return undefined;
  if (isDeleted) return "in_trash";
  return isArchived && of === "switch" ? "archived" : undefined;
}
