import type { MeterModel } from "@metrum/catalogue";
import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { inbox, InboxCreate, InboxEntry, InboxPreview } from "@metrum/contract/headend";
import { DeviceSettings } from "@metrum/contract/metering";
import type { DeviceId, GatewayId } from "@metrum/vocabulary";
import { audit, record, resolveOne, type Ctx, type Db, type Scope } from "#core";
import { unknownModems, unknownSenders, type ModemConnection } from "#headend/channels";
import { companyById } from "#access/companies";
import { addDevice, meterModel, notedSettings, putSettings, wrongSettings } from "#metering/devices";
import { addGateway, gatewayModel, identityTaken, tellCaller } from "#metering/gateways";
import { refuseNewDevices } from "#access/licence";
import { pollSoon } from "#metering/device-state";
import { previewKept, takeKept } from "#headend/uplinks";
import { trialAddress } from "./trials.ts";

/** Maximum of each kind, newest first; older ones appear when these are registered. */
const mostListed = 1000;

/**
 * Unknown callers: all of them for platform staff, for a company those received with its own credentials,
 * through its network servers or its receivers. A modem dials in to a port that all companies share and sends
 * nothing but its number, so it cannot be shown to any company: it might be the meter of another one.
 */
export async function entriesFor({ database, scope }: Ctx): Promise<InboxEntry[]> {
  const isStaff = scope.access.is_platform;
  const [modems, senders] = await Promise.all([
    isStaff ? unknownModems(database.system, mostListed) : [],
    unknownSenders(database.system, isStaff ? undefined : scope.companyId, mostListed),
  ]);
  return [
    ...modems.map(modemEntry),
    ...senders.map((each): InboxEntry => ({
      kind: "device",
      identity: each.network_id,
      port: null,
      way: each.topic,
      is_online: false,
      ip_address: "",
      first_at: each.first_at,
      last_at: each.last_at,
      count: each.count,
      company_id: each.company_id,
      company_name: each.company_name,
      model_id: null,
      inside_addr: null,
    })),
  ];
}

function modemEntry(row: ModemConnection): InboxEntry {
  return {
    kind: "modem",
    identity: row.identity,
    port: row.port,
    way: row.profile,
    is_online: row.is_online,
    ip_address: row.ip_address,
    first_at: null,
    last_at: row.last_at,
    count: null,
    company_id: null,
    company_name: null,
    model_id: row.end_device_model_id,
    inside_addr: row.end_device_model_id === null ? null : (trialAddress(row.end_device_model_id) ?? null),
  };
}

type Reply = ReplyOf<typeof inbox.create>;
type Made = Omit<Reply, "taken">;

/**
 * Registers a caller, in one's own company or, by platform staff, in any. The waiting connection is notified
 * on commit, and the meter is polled at once; the messages
 * that a device has sent before are taken over. Problems: not_found (another company, for users who are not
 * staff), unknown_model, identifier_taken, device_limit_reached, licence_expired.
 */
export async function register(ctx: Ctx, given: InboxCreate): Promise<Reply> {
  const { database, scope } = ctx;
  const owner = await ownerOf(ctx, given.company_id);
  // A transaction under the company that gets the device, so that row-level security applies to staff too.
  const made = await database.scoped(owner, async (db) => {
    const result = await (given.kind === "modem" ? makeGateway : makeDevice)(
      { ...ctx, db, scope: owner },
      given,
    );
    await noteFor(ctx, { db, owner, given, result });
    return result;
  });
  const { companyId } = owner;
  // After the commit: the intake looks the device up in its own transactions.
  const taken = given.kind === "device" ? await takeKept(ctx, { companyId, networkId: given.identity }) : 0;
  if (owner.companyId !== scope.companyId) await record(ctx, entryOf(given, made));
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: owner.companyId }));
  return { ...made, taken };
}

/** What an unknown device has sent, and which models read it. Problem: not_found (another company). */
export async function preview(
  ctx: Ctx,
  { identity, company_id }: ParsedOf<typeof inbox.preview>["body"],
): Promise<InboxPreview> {
  const { companyId } = await ownerOf(ctx, company_id);
  return previewKept(ctx, { companyId, networkId: identity });
}

async function ownerOf(ctx: Ctx, wanted: number | undefined): Promise<Scope> {
  const { scope } = ctx;
  if (wanted === undefined || wanted === scope.companyId) return scope;
  if (!scope.access.is_platform) throw problem("not_found");
  const companyId = await resolveOne(ctx, "company", wanted);
  const company = await companyById(ctx.db, companyId);
  if (!company) throw problem("not_found");
  return { ...scope, companyId, companyPath: company.path };
}

async function makeGateway(ctx: Ctx, given: InboxCreate): Promise<Made> {
  const { db, scope, clock } = ctx;
  const { meter } = given;
  const model = gatewayModel(given.model_id);
  // It has dialled in, so it is no converter that the server connects to.
  if (model.connection !== "dial_in")
    throw problem("unknown_model", { attributes: { model_id: ["tcp_client"] } });
  const ofMeter = meter && meterModel(meter.model_id, "line", "meter.model_id");
  refuseWrong(undefined, given, "");
  if (meter && ofMeter) refuseWrong(ofMeter, meter, "meter.");
  if (meter) await refuseNewDevices(ctx, 1);
  const gatewayId = await addGateway(db, {
    companyId: scope.companyId,
    model,
    name: given.name,
    identity: given.identity,
  });
  if (gatewayId === undefined) throw await identityTaken(ctx, given.identity, "identity");
  let deviceId: DeviceId | null = null;
  if (meter && ofMeter) {
    deviceId = await addDevice(db, {
      companyId: scope.companyId,
      model: ofMeter,
      name: meter.name,
      deviceID: meter.deviceID,
      insideAddr: meter.inside_addr ?? "",
      gatewayId,
    });
    await putSettings(ctx, deviceId, meter);
    await pollSoon(db, deviceId, clock.now());
  }
  await tellCaller(db, given.identity);
  return made(gatewayId, deviceId);
}

async function makeDevice(ctx: Ctx, given: InboxCreate): Promise<Made> {
  const { db, scope } = ctx;
  const model = meterModel(given.model_id, "uplink", "model_id");
  refuseWrong(model, given, "");
  await refuseNewDevices(ctx, 1);
  const id = await addDevice(db, {
    companyId: scope.companyId,
    model,
    name: given.name,
    deviceID: given.identity,
    insideAddr: "",
    gatewayId: null,
  });
  await putSettings(ctx, id, given);
  return made(null, id);
}

/** Settings apply to a metering device: its model must support them, and a gateway has none. */
function refuseWrong(model: MeterModel | undefined, given: DeviceSettings, prefix: string): void {
  const faults = model ? Object.entries(wrongSettings(model, given)) : settingsIn(given);
  if (faults.length === 0) return;
  const attributes = Object.fromEntries(faults.map(([name, codes]) => [`${prefix}${name}`, codes]));
  throw problem("wrong_input", { attributes });
}

const settingsIn = (given: DeviceSettings): [string, string[]][] =>
  Object.keys(DeviceSettings.parse(given)).map((name) => [name, ["not_of_model"]]);

const made = (gateway_id: GatewayId | null, device_id: DeviceId | null): Made => ({ gateway_id, device_id });

interface Noted {
  readonly db: Db;
  readonly owner: Scope;
  readonly given: InboxCreate;
  readonly result: Made;
}

/** In the log of the receiving company; `register` writes to that of the acting user. */
async function noteFor({ scope, session, address }: Ctx, { db, owner, given, result }: Noted): Promise<void> {
  await audit(db, {
    ...entryOf(given, result),
    companyId: owner.companyId,
    userId: scope.userId,
    impersonatorId: session.impersonatorId,
    address,
    via: session.apiToken,
  });
}

const entryOf = (given: InboxCreate, { gateway_id, device_id }: Made) => ({
  action: "inbox.create" as const,
  subject: gateway_id === null ? `device ${String(device_id)}` : `gateway ${String(gateway_id)}`,
  after: withoutSecrets(given),
});

const withoutSecrets = ({ meter, ...rest }: InboxCreate) => ({
  ...notedSettings(rest),
  ...(meter ? { meter: notedSettings(meter) } : {}),
});
