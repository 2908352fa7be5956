import { problem } from "@metrum/contract/core";
import type { GatewayId } from "@metrum/vocabulary";
import { audit, record, type Ctx, type Db } from "#core";
import { hurrySilent } from "#metering/device-state";
import { ownGateway, subjectOf } from "./gateways.ts";
import { ownGatewayLine, setGatewayLine, type GatewayLine, type LinedGateway } from "./store.ts";

/** Changes the line of a gateway, recorded in the log of its company; a terminal command has no session. */
export async function putGatewayLine(db: Db, gateway: LinedGateway, line: GatewayLine): Promise<void> {
  await setGatewayLine(db, gateway.id, { ...line, isEntered: false });
  await audit(db, {
    companyId: gateway.companyId,
    address: "",
    action: "gateway.line",
    subject: subjectOf(gateway.id),
    before: gateway.line,
    after: line,
  });
}

/** The line of a gateway that a user changes. */
export interface OwnLine extends GatewayLine {
  readonly id: GatewayId;
  readonly model_id: number;
  readonly isEntered: boolean;
}

/** The line of a gateway, locked for a change. Problems: not_found, tied_devices_only, gateway_in_trash, gateway_archived. */
export async function openOwnLine(ctx: Ctx, given: number): Promise<OwnLine> {
  const id = await ownGateway(ctx, given);
  const row = await ownGatewayLine(ctx.db, id);
  if (!row) throw problem("not_found");
  const { isDeleted, isArchived, ...line } = row;
  if (isDeleted) throw problem("gateway_in_trash");
  if (isArchived) throw problem("gateway_archived");
  return { ...line, id };
}

/**
 * Stores the line that a user has set. An unchanged address keeps its origin: one set by the operator may be
 * in a private network. Silent devices behind it are polled soon.
 */
export async function enterLine(ctx: Ctx, before: OwnLine, line: GatewayLine): Promise<void> {
  const { id, model_id: _, isEntered, ...former } = before;
  const isSame = line.host === former.host && line.port === former.port;
  await setGatewayLine(ctx.db, id, { ...line, isEntered: isSame ? isEntered : true });
  await hurrySilent(ctx.db, id, ctx.clock.now());
  await record(ctx, { action: "gateway.line", subject: subjectOf(id), before: former, after: line });
}
