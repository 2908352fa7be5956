import { modelById } from "@metrum/catalogue";
import { pageSize, problem, type FieldFaultCode } from "@metrum/contract/core";
import {
  mostLines,
  mostReceivers,
  type Line,
  type LineInput,
  type LineListInput,
} from "@metrum/contract/headend";
import { OutgoingRefused, refuseHost, type Ctx } from "#core";
import { holdersOf, serialTarget } from "#headend/channels";
import { lineOfGateway } from "#headend/exchanges";
import { Listens } from "#headend/uplinks";
import { enterLine, gatewayModel, openOwnLine, type OwnLine } from "#metering/gateways";
import { assignsPorts } from "./ports.ts";
import * as store from "./store.ts";

/** Maximum rows of one answer, also without paging. */
const largestPage = 10_000;

/** A page of the lines that the server opens. */
export async function lineList(ctx: Ctx, input: LineListInput) {
  const { db, scope } = ctx;
  const { page: requestedPage = 1, per_page, paginate, sort_field = "name", sort = "asc", ...filter } = input;
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current = paginate === false ? 1 : requestedPage;
  const offset = (current - 1) * limit;
  const rows = await store.linePage(db, scope, {
    filter,
    sort_field,
    sort,
    limit,
    offset,
    now: ctx.clock.now(),
  });
  const total = await store.countLines(db, scope, filter);
  const data = await shownLines(ctx, rows);
  const last_page = Math.max(1, Math.ceil(total / limit));
  return { lines: { data, current_page: current, last_page, per_page: limit, total } };
}

/**
 * Sets the line of a gateway that the server connects to. Problems: not_found, tied_devices_only,
 * gateway_in_trash, gateway_archived, wrong_input, line_limit, receiver_limit.
 */
export async function saveLine(ctx: Ctx, given: LineInput): Promise<Line> {
  const before = await openOwnLine(ctx, given.gateway_id);
  const { tcp, serial, listens = before.listens } = given;
  if (gatewayModel(before.model_id).connection === "dial_in") throw wrong("gateway_id", "dials_in");
  if (tcp && serial) throw wrong("serial", "wrong");
  if (tcp) await refuseAddress(ctx, tcp, before);
  else if (serial) await refusePort(ctx, serial, before);
  else throw wrong("tcp", "required");
  await refuseMany(ctx, before, listens !== null);
  await enterLine(ctx, before, {
    host: tcp?.host ?? null,
    port: tcp?.port ?? null,
    serial: serial ?? null,
    listens,
  });
  const row = await store.lineRow(ctx.db, ctx.scope, { id: before.id, now: ctx.clock.now() });
  const [shown] = row ? await shownLines(ctx, [row]) : [];
  if (!shown) throw problem("not_found");
  return shown;
}

/** Problems: not_found, tied_devices_only, gateway_in_trash, gateway_archived. */
export async function removeLine(ctx: Ctx, given: number): Promise<void> {
  const before = await openOwnLine(ctx, given);
  await enterLine(ctx, before, { host: null, port: null, serial: null, listens: null });
}

/** Of the ports below 1024 those of converters: the others belong to services that are no meters. */
const lowPorts: readonly number[] = [23, 502];

/**
 * An entered address is one of the public network, and of one company only: a line is shared by all gateways
 * with its address, so that two companies would use it together. The refusal does not say which of these
 * rules it breaks.
 */
async function refuseAddress(
  ctx: Ctx,
  address: NonNullable<LineInput["tcp"]>,
  before: OwnLine,
): Promise<void> {
  const { host, port } = address;
  if (host === before.host && port === before.port) return;
  if (port < 1024 && !lowPorts.includes(port)) throw wrong("tcp.port", "line_refused");
  try {
    refuseHost(ctx.config, host);
  } catch (error) {
    if (error instanceof OutgoingRefused) throw wrong("tcp.host", "line_refused");
    throw error;
  }
  if (await store.isAddressTaken(ctx.database.system, ctx.scope, address))
    throw wrong("tcp.host", "line_refused");
}

async function refusePort(
  ctx: Ctx,
  serial: NonNullable<LineInput["serial"]>,
  before: OwnLine,
): Promise<void> {
  if (typeof serialTarget(serial) === "string") throw wrong("serial.data_bits", "wrong");
  const present = serialTarget(before.serial);
  if (typeof present !== "string" && present.path === serial.path) return;
  const offered = await store.offeredPorts(ctx.database.system);
  const port = offered.find(({ path }) => path === serial.path);
  const isOurs = port?.company_id === ctx.scope.companyId;
  if (!isOurs && (port?.company_id !== null || !assignsPorts(ctx)))
    throw wrong("serial.path", "port_refused");
}

async function refuseMany(ctx: Ctx, { id }: OwnLine, isReceiver: boolean): Promise<void> {
  const { all, receivers } = await store.otherLines(ctx.db, ctx.scope, id);
  if (all >= mostLines) throw problem("line_limit", { params: { max: mostLines } });
  if (isReceiver && receivers >= mostReceivers)
    throw problem("receiver_limit", { params: { max: mostReceivers } });
}

const wrong = (field: string, fault: FieldFaultCode) =>
  problem("wrong_input", { attributes: { [field]: [fault] } });

/** Lines as sent to clients. Rows: one holder per line, by primary key. */
async function shownLines(ctx: Ctx, rows: readonly store.LineRow[]): Promise<Line[]> {
  const keys = rows.map(
    (row) => lineOfGateway({ ...row, gatewayId: row.id, gatewayModelId: row.model_id })?.key,
  );
  // Holders belong to no company; the keys come from a scoped query.
  const holders = await holdersOf(
    ctx.database.system,
    keys.flatMap((key) => key ?? []),
  );
  return rows.map((row, at) => shown(row, holders.has(keys[at] ?? "")));
}

function shown(row: store.LineRow, isHeld: boolean): Line {
  const { id, name, device_id, model_id, host, port, devices_count, silent_count } = row;
  const serial = serialTarget(row.serial);
  const listens = Listens.safeParse(row.listens);
  const isSerial = row.serial !== null;
  const times = [row.last_session_at, row.last_data_at].filter((at) => at !== null);
  return {
    ...{ id, name, device_id, model_id, devices_count, silent_count },
    model_title: modelById(model_id)?.title ?? String(model_id),
    way: isSerial ? "serial" : "tcp",
    tcp: isSerial || host === null || port === null ? null : { host, port },
    serial: typeof serial === "string" ? null : withoutEcho(serial),
    listens: listens.success ? listens.data : null,
    state: stateOf(row, isHeld),
    last_contact_at: times.length === 0 ? null : Math.max(...times),
  };
}

function withoutEcho({ echoes: _, ...serial }: Exclude<ReturnType<typeof serialTarget>, string>) {
  return serial;
}

function stateOf({ is_active, serial, listens }: store.LineRow, isHeld: boolean): Line["state"] {
  if (!is_active) return "off";
  // A process holds its serial ports whether they are open or not, and a connection only while it is.
  if (serial !== null) return isHeld ? "ready" : "missing";
  if (isHeld) return "open";
  return listens === null ? "idle" : "lost";
}
