import { gatewayModels, type GatewayModel } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import type { CompanyId, GatewayId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { interfaceOf } from "#metering/models";
import { insertGateway } from "./store.ts";

/** The gateway model with this id. Problem: unknown_model. */
export function gatewayModel(id: number): GatewayModel {
  const model = gatewayModels.find((each) => each.id === id);
  if (!model) throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  return model;
}

export interface NewGateway {
  readonly companyId: CompanyId;
  readonly model: GatewayModel;
  readonly name: string;
  /** Identity of the modem, unique in the installation. */
  readonly identity: string;
  readonly desc?: string;
  /** Its address, if the server connects to it. */
  readonly host?: string | null;
  readonly port?: number | null;
  /** Listener settings of its line, as JSON. */
  readonly listens?: string;
  /** One of the model; the first if absent. */
  readonly interfaceId?: number;
  readonly login?: string;
  readonly is_archived?: boolean;
  /** It is in the trash. */
  readonly deletedAt?: Date;
}

/** Registers a gateway; undefined when its identifier is taken in any company. */
export async function addGateway(db: Db, given: NewGateway): Promise<GatewayId | undefined> {
  const { companyId, model, name, identity, host = null, port = null, deletedAt, ...more } = given;
  const { interfaceId = interfaceOf(model), ...rest } = more;
  return insertGateway(db, {
    ...rest,
    company_id: companyId,
    model_id: model.id,
    interface_id: interfaceId,
    name,
    device_id: identity,
    host,
    port,
    deleted_at: deletedAt ?? null,
  });
}
