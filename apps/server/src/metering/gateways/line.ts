import { audit, type Db } from "#core";
import { setGatewayLine, type GatewayLine, type LinedGateway } from "./store.ts";

/** Changes the line of a gateway, recorded in the log of its company; a terminal command has no session. */
export async function putGatewayLine(db: Db, gateway: LinedGateway, line: GatewayLine): Promise<void> {
  await setGatewayLine(db, gateway.id, line);
  await audit(db, {
    companyId: gateway.companyId,
    address: "",
    action: "gateway.line",
    subject: `gateway ${String(gateway.id)}`,
    before: gateway.line,
    after: line,
  });
}
