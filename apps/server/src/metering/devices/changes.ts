import type { DeviceChange, DeviceChangeAction, DeviceChangeFault } from "@metrum/contract/metering";
import type { CompanyId, DeviceId, UserId } from "@metrum/vocabulary";
import type { AuditEntry, Db, Services } from "#core";
import { tieMany } from "#access/users";
import { freePlaces } from "#access/licence";
import { planAnew, renewSilence } from "#metering/device-state";
import { sourcesInUse } from "#metering/messages";
import { devicesToChange, type ChangedDevice } from "./changeStore.ts";
import { devicesUnderPoints } from "./pointStore.ts";
import {
  devicesIdentified,
  markRemoved,
  moveToArchive,
  moveToTrash,
  putPeriod,
  switchActive,
} from "./store.ts";

/** Services, the transaction of the change, and the company whose devices are changed. */
export interface Changing extends Services {
  readonly db: Db;
  readonly scope: { readonly companyId: CompanyId; readonly onlyTiedDevices: false };
}

type Note = Pick<AuditEntry, "subject" | "before" | "after">;

export interface Changed {
  /** Devices that were not changed, with the reason. */
  readonly faults: ReadonlyMap<DeviceId, DeviceChangeFault>;
  /** Action and objects of the audit log, for the devices that are different now. */
  readonly action: AuditEntry["action"];
  readonly notes: readonly Note[];
}

/** One kind of change: which devices it cannot be made to, and the change of the others. */
interface Kind {
  readonly action: AuditEntry["action"];
  readonly faultOf?: (device: ChangedDevice, change: DeviceChange) => DeviceChangeFault | undefined;
  /** Further faults, of which devices depend on each other. */
  readonly faultsAmong?: (
    ctx: Changing,
    devices: readonly ChangedDevice[],
  ) => Promise<ReadonlyMap<DeviceId, DeviceChangeFault>>;
  readonly run: (ctx: Changing, devices: readonly ChangedDevice[], change: DeviceChange) => Promise<Note[]>;
}

const idsOf = (devices: readonly { readonly id: DeviceId }[]) => devices.map(({ id }) => id);
const subjectOf = ({ id }: { readonly id: DeviceId }) => `device ${String(id)}`;
const named = (device: Pick<ChangedDevice, "id" | "name" | "deviceID">): Note => ({
  subject: subjectOf(device),
  before: { name: device.name, deviceID: device.deviceID },
});

const switching = (isActive: boolean): Kind => ({
  action: "device.switch",
  run: async ({ db, scope }, devices) => {
    const switched = await switchActive(db, scope, idsOf(devices), isActive);
    return switched.map((device) => ({ subject: subjectOf(device), after: { is_active: isActive } }));
  },
});

const archiving = (isArchived: boolean): Kind => ({
  action: "device.archive",
  faultOf: ({ isDeleted }) => (isDeleted ? "device_in_trash" : undefined),
  ...(isArchived
    ? {}
    : {
        faultsAmong: (ctx, devices) =>
          withoutPlace(
            ctx,
            devices.filter((each) => each.isArchived),
          ),
      }),
  run: async ({ db, scope }, devices) => {
    const moved = await moveToArchive(db, scope, idsOf(devices), isArchived);
    return moved.map((device) => ({ ...named(device), after: { is_archived: isArchived } }));
  },
});

const tying = (isTied: boolean): Kind => ({
  action: "device.tieUser",
  run: async ({ db, scope }, devices, { user_ids: given = [] }) => {
    // The call has resolved them.
    const users = given as UserId[];
    const changed = await tieMany(db, scope.companyId, { devices: idsOf(devices), users, isTied });
    return changed.map((id) => ({
      subject: subjectOf({ id }),
      [isTied ? "after" : "before"]: { user_ids: users },
    }));
  },
});

/** Without that of poll groups, which are not known here. */
const kinds: Readonly<Record<Exclude<DeviceChangeAction, "group">, Kind>> = {
  switch_on: switching(true),
  switch_off: switching(false),
  archive: archiving(true),
  unarchive: archiving(false),
  period: {
    action: "device.edit",
    faultOf: ({ isDeleted, isArchived, isGrouped, period }, { report_period_update: sec }) =>
      isDeleted || isArchived ? "device_put_away" : isGrouped && period !== sec ? "in_poll_group" : undefined,
    run: putPeriods,
  },
  tie: tying(true),
  untie: tying(false),
  trash: {
    action: "device.trash",
    faultsAmong: async ({ db }, devices) =>
      new Map((await sourcesInUse(db, idsOf(devices))).map(({ id }) => [id, "is_source"])),
    run: async ({ db, scope, clock }, devices) =>
      (await moveToTrash(db, scope, idsOf(devices), new Date(clock.nowMs()))).map(named),
  },
  restore: {
    action: "device.restore",
    faultsAmong: notRestorable,
    run: async ({ db, scope }, devices) => (await moveToTrash(db, scope, idsOf(devices), null)).map(named),
  },
  remove: {
    action: "device.remove",
    faultOf: ({ isDeleted }) => (isDeleted ? undefined : "device_not_in_trash"),
    faultsAmong: async ({ db }, devices) =>
      new Map((await devicesUnderPoints(db, idsOf(devices))).map((id) => [id, "point_history"])),
    run: async ({ db, scope, clock }, devices) =>
      (await markRemoved(db, scope, { ids: idsOf(devices), at: new Date(clock.nowMs()) })).map(named),
  },
};

/**
 * Makes one change to many devices in a few statements, whatever their number. A device that is already as wanted
 * is neither changed nor refused.
 */
export async function changeDevices(
  ctx: Changing,
  ids: readonly DeviceId[],
  change: DeviceChange & { readonly action: keyof typeof kinds },
): Promise<Changed> {
  const { action, faultOf, faultsAmong, run } = kinds[change.action];
  const known = await devicesToChange(ctx.db, ctx.scope.companyId, ids);
  const found = new Set(idsOf(known));
  const faults = new Map<DeviceId, DeviceChangeFault>();
  for (const id of ids) if (!found.has(id)) faults.set(id, "not_found");
  for (const device of known) {
    const fault = faultOf?.(device, change);
    if (fault) faults.set(device.id, fault);
  }
  const isFree = ({ id }: ChangedDevice) => !faults.has(id);
  for (const [id, fault] of (await faultsAmong?.(ctx, known.filter(isFree))) ?? []) faults.set(id, fault);
  const notes = await run(ctx, known.filter(isFree), change);
  return { faults, action, notes };
}

async function putPeriods(
  { db }: Changing,
  devices: readonly ChangedDevice[],
  { report_period_update: sec }: DeviceChange,
): Promise<Note[]> {
  if (sec === undefined) throw new Error("a change of the period without a period");
  const others = devices.filter(({ period }) => period !== sec);
  const ids = idsOf(others);
  await putPeriod(db, ids, sec);
  await planAnew(db, ids);
  await renewSilence(db, ids);
  return others.map((device) => ({
    subject: subjectOf(device),
    before: { report_period_update: device.period },
    after: { report_period_update: sec },
  }));
}

/** Devices in the trash whose identifier is taken meanwhile, also by one before them, or that the licence does not allow. */
async function notRestorable(
  ctx: Changing,
  devices: readonly ChangedDevice[],
): Promise<ReadonlyMap<DeviceId, DeviceChangeFault>> {
  const waiting = devices.filter(({ isDeleted }) => isDeleted);
  const present = await devicesIdentified(
    ctx.db,
    ctx.scope.companyId,
    waiting.map(({ deviceID }) => deviceID),
  );
  const taken = new Set(present.map(({ deviceID }) => deviceID.toLowerCase()));
  const faults = new Map<DeviceId, DeviceChangeFault>();
  for (const { id, deviceID } of waiting) {
    const key = deviceID.toLowerCase();
    if (taken.has(key)) faults.set(id, "identifier_taken");
    taken.add(key);
  }
  const counted = waiting.filter(({ id, isArchived }) => !faults.has(id) && !isArchived);
  for (const [id, fault] of await withoutPlace(ctx, counted)) faults.set(id, fault);
  return faults;
}

/** Those of these devices, which are to count again, for which the licence has no place. */
async function withoutPlace(
  ctx: Changing,
  devices: readonly ChangedDevice[],
): Promise<ReadonlyMap<DeviceId, DeviceChangeFault>> {
  if (devices.length === 0) return new Map();
  const { left, why } = await freePlaces(ctx);
  return new Map(devices.slice(left).map(({ id }) => [id, why]));
}
