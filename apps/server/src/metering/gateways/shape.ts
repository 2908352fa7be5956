import type { GatewayModel } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import type { GatewayChange } from "@metrum/contract/metering";
import type { BaseStationId } from "@metrum/vocabulary";
import { isZone, OutgoingRefused, refuseHost, resolveOne, zoneOfOffset, type Ctx } from "#core";
import { interfaceIdsOf, interfaceOf } from "#metering/models";
import type { GatewayRow } from "./listStore.ts";
import { signsIn } from "./secrets.ts";

type Given = Omit<GatewayChange, "id">;

/** What a form has changed, as columns. Problems: wrong_input that names the fields, not_found. */
export async function columnsOf(
  ctx: Ctx,
  given: Given,
  { model, before }: { readonly model: GatewayModel; readonly before: GatewayRow | undefined },
) {
  const {
    deviceTimezone: _offset,
    timezone_name: _zone,
    password: _secret,
    control_port,
    base_station_id,
    ...plain
  } = given;
  refuseControlPort(ctx, given, { model, before });
  const interface_id = interfaceFor(model, given, before);
  const login = signsIn(interface_id) ? (given.login ?? before?.login ?? "") : "";
  refuseWithoutSignIn(given, { interface_id, login, hasPassword: before?.has_password ?? false });
  const timezone = zoneFor(ctx, given, before);
  return {
    ...plain,
    interface_id,
    login,
    ...(timezone === undefined ? {} : { timezone }),
    ...(control_port === undefined ? {} : { control_port }),
    ...(base_station_id === undefined ? {} : { base_station_id: await stationFor(ctx, base_station_id) }),
  };
}

/** Of the ports below 1024 those of converters: the others belong to services that are no gateways. */
const lowPorts: readonly number[] = [23, 502];

/**
 * Only a model that is controlled on a port of its own has another one, and only at a host that its users may enter:
 * one that the operator has set may be in a private network, whose other ports are no gateways.
 */
function refuseControlPort(
  { config }: Ctx,
  { control_port: port }: Given,
  { model, before }: { readonly model: GatewayModel; readonly before: GatewayRow | undefined },
): void {
  if (port === undefined || port === null || port === model.control?.port) return;
  const isOffered = model.control?.port !== undefined && (port >= 1024 || lowPorts.includes(port));
  if (!isOffered || !mayBeEntered(config, before?.host ?? null))
    throw problem("wrong_input", { attributes: { control_port: ["line_refused"] } });
}

function mayBeEntered(config: Ctx["config"], host: string | null): boolean {
  try {
    if (host !== null) refuseHost(config, host.toLowerCase());
    return true;
  } catch (error) {
    if (error instanceof OutgoingRefused) return false;
    throw error;
  }
}

/** The given interface, which must be one of the model; else the present one, or the first of the model. */
function interfaceFor(model: GatewayModel, given: Given, before: GatewayRow | undefined): number {
  const known = interfaceIdsOf(model);
  const { interface_id } = given;
  if (interface_id !== undefined && !known.includes(interface_id))
    throw problem("wrong_input", { attributes: { interface_id: ["not_of_model"] } });
  const present = before && known.includes(before.interface_id) ? before.interface_id : undefined;
  return interface_id ?? present ?? interfaceOf(model);
}

/** On ethernet_uspd login and password are needed; a stored password need not be entered again. */
function refuseWithoutSignIn(
  given: Given,
  { interface_id, login, hasPassword }: { interface_id: number; login: string; hasPassword: boolean },
): void {
  if (!signsIn(interface_id)) return;
  const lacksPassword = given.password === undefined ? !hasPassword : given.password === "";
  const attributes = {
    ...(login === "" ? { login: ["required"] } : {}),
    ...(lacksPassword ? { password: ["required"] } : {}),
  };
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
}

/** Null: that of the company; undefined: unchanged. */
function zoneFor(ctx: Ctx, given: Given, before: GatewayRow | undefined): string | null | undefined {
  const { timezone_name: name, deviceTimezone: hours } = given;
  if (name === "") return null;
  if (name !== undefined) {
    if (!isZone(name)) throw problem("wrong_input", { attributes: { timezone_name: ["zone"] } });
    return name;
  }
  const present = before?.timezone ?? ctx.session.companyTimeZone;
  const zone = zoneOfOffset(hours, present, ctx.clock.now());
  return zone === present ? undefined : zone;
}

async function stationFor(ctx: Ctx, id: number | null): Promise<BaseStationId | null> {
  return id === null ? null : resolveOne(ctx, "baseStation", id);
}
