import { audit, type Db } from "#core";
import { setGatewayLine, type GatewayLine, type LinedGateway } from "./gatewayStore.ts";

/** Writes the line of a gateway, and in the log of its company what it was and is: nobody is signed in at a terminal. */
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
